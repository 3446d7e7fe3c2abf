import CoreData
import CoreDataPlaces

/// Finds out where the device is, shows it on the map with its address, and stores it.
@MainActor
final class MapMe {
    /// What the progress bar and the label below it show.
    struct Progress: Equatable {
        let part: Float
        let text: String
    }

    /// Pictures that stand in for pins, by kinds of annotations.
    var pictures: [String: String] = [:]
    /// Shown after each change, such as by a view.
    var onChange: (() -> Void)?
    /// nil while nothing is going on: bar and label are hidden then.
    private(set) var progress: Progress? { didSet { onChange?() } }
    private(set) var region = MKCoordinateRegion()
    private(set) var annotation: Annotation?
    /// What is said when something fails.
    private(set) var problem: String?
    var isGoEnabled: Bool { progress == nil }

    private let context: NSManagedObjectContext
    private let makeSource: () -> any LocationSource
    private let authorizer: LocationAuthorizer
    private let geocoder: CLGeocoder
    private let clock: @Sendable () -> Date
    /// Width and height of the map.
    private let size: (width: Double, height: Double)

    init(
        _ context: NSManagedObjectContext, source: @escaping () -> any LocationSource, authorizer: LocationAuthorizer,
        geocoder: CLGeocoder, size: (width: Double, height: Double) = (320, 400),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.context, makeSource, self.authorizer, self.geocoder) = (context, source, authorizer, geocoder)
        (self.size, self.clock) = (size, clock)
    }

    /// What the button does. A second call while one is going on does nothing.
    func go() async {
        guard isGoEnabled else { return }
        (problem, annotation) = (nil, nil)
        do {
            progress = Progress(part: 0, text: "Determining Current Location")
            // Fixes older than a minute are ignored, and the source is stopped after the first good one.
            let fix = try await CLLocationManager.firstGoodFix(from: makeSource(), authorizer: authorizer, clock: clock)
            region = MKCoordinateRegionMakeWithDistance(fix.coordinate, 2_000, 2_000)
                .fitting(width: size.width, height: size.height)
            progress = Progress(part: 0.25, text: "Reverse Geocoding Location")
            let placemark = try await geocoder.reverseGeocodeLocation(fix).first
            progress = Progress(part: 0.5, text: "Location Determined")
            let location = try store(fix, placemark?.address ?? PostalAddress())
            progress = Progress(part: 0.75, text: "Creating Annotation")
            annotation = Annotation(
                title: "You are Here!", subtitle: location.address.line, coordinate: fix.coordinate,
                look: Annotation.look(ofKind: "MapLocation", pictures: pictures))
            progress = Progress(part: 1, text: "Showing Annotation")
        } catch let error as CLError {
            problem = error.code == .denied ? "Access Denied" : error.reason
        } catch {
            problem = error.localizedDescription
        }
        progress = nil
    }

    /// Says that a part of the map could not be had.
    func mapFailed(_ error: any Error) { problem = "The map cannot be shown: \(error.localizedDescription)" }

    private func store(_ fix: CLLocation, _ address: PostalAddress) throws -> MapLocation {
        let location = MapLocation(context: context)
        (location.latitude, location.longitude) = (fix.coordinate.latitude, fix.coordinate.longitude)
        (location.street, location.city, location.state, location.zip) = (
            address.street, address.city, address.state, address.zip
        )
        do {
            try context.save()
        } catch {
            context.rollback()
            throw error
        }
        return location
    }
}

extension MapLocation {
    /// The parts that there are, as one line.
    var address: PostalAddress { PostalAddress(street: street, city: city, state: state, zip: zip) }
}
