import CoreData
import CoreDataPlaces

/// The command line of MapMe: replays a track instead of asking a device.
@main
struct Program {
    @MainActor
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            guard arguments.count == 1 || arguments.count == 2 else {
                throw Complaint(text: "usage: mapme STORE [TRACK.gpx]")
            }
            try await run(
                URL(fileURLWithPath: arguments[0]), arguments.dropFirst().first.map { URL(fileURLWithPath: $0) })
        } catch {
            FileHandle.standardError.write(Data("mapme: \(error)\n".utf8))
            exit(1)
        }
    }

    private struct Complaint: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }

    @MainActor
    private static func run(_ url: URL, _ track: URL?) async throws {
        let container = NSPersistentContainer(name: "MapMe")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        let document = try track.map { try TrackDocument(contentsOf: $0) }
        let mapMe = MapMe(
            container.viewContext,
            source: {
                document.map { TrackLocationSource($0, speedFactor: .infinity) }
                    ?? TrackLocationSource(points: [TrackPoint(coordinate: Place.coordinate)], speedFactor: .infinity)
            }, authorizer: .granted(), geocoder: CLGeocoder(service: Place()))
        mapMe.onChange = { if let progress = mapMe.progress { print("\(progress.part) \(progress.text)") } }
        await mapMe.go()
        if let problem = mapMe.problem { throw Complaint(text: problem) }
        if let annotation = mapMe.annotation { print("\(annotation.title) \(annotation.subtitle)") }
    }
}

/// A list of one place, which needs neither a gazetteer nor a service.
private struct Place: GeocodingService {
    static let coordinate = CLLocationCoordinate2D(latitude: 52.5163, longitude: 13.3777)

    func placemarks(near location: CLLocation, limit: Int, locale: Locale?) async throws -> [CLPlacemark] {
        var parts = CLPlacemark.Parts()
        (parts.thoroughfare, parts.locality, parts.administrativeArea, parts.postalCode) = (
            "Pariser Platz", "Berlin", "BE", "10117"
        )
        return [CLPlacemark(location: location, parts: parts)]
    }

    func placemarks(named address: String, in region: CLRegion?, limit: Int, locale: Locale?) async throws
        -> [CLPlacemark]
    {
        throw CLError(.geocodeFoundNoResult)
    }
}
