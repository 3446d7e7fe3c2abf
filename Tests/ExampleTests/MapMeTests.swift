import CoreData
import CoreDataPlaces
import TestBasics
import Testing

@testable import MapMeSample

/// The example MapMe: a fix, a region, an address, a pin, and a stored place.
@MainActor @Suite struct MapMeTests {
    private let folder: TemporaryFolder
    private let container: NSPersistentContainer
    private let now = Date()

    init() throws {
        folder = try TemporaryFolder()
        container = NSPersistentContainer(name: "MapMe")
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: folder.url.appendingPathComponent("MapMe.sqlite"))
        ]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
    }

    /// Answers every place with one address, or fails.
    private struct Service: GeocodingService {
        var failure: CLError?

        func placemarks(near location: CLLocation, limit: Int, locale: Locale?) async throws -> [CLPlacemark] {
            if let failure { throw failure }
            var parts = CLPlacemark.Parts()
            (parts.subThoroughfare, parts.thoroughfare) = ("1", "Infinite Loop")
            (parts.locality, parts.administrativeArea, parts.postalCode) = ("Cupertino", "CA", "95014")
            return [CLPlacemark(location: location, parts: parts)]
        }

        func placemarks(
            named address: String, in region: CLRegion?, limit: Int, locale: Locale?
        ) async throws -> [CLPlacemark] { throw CLError(.geocodeFoundNoResult) }
    }

    private func app(
        _ points: [TrackPoint], authorizer: LocationAuthorizer = .granted(), failure: CLError? = nil
    ) -> MapMe {
        MapMe(
            container.viewContext,
            source: { TrackLocationSource(points: points, speedFactor: .infinity, timestamps: .recorded) },
            authorizer: authorizer, geocoder: CLGeocoder(service: Service(failure: failure)))
    }

    private func point(_ latitude: Double, _ longitude: Double, age: TimeInterval) -> TrackPoint {
        var point = TrackPoint(coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude))
        (point.timestamp, point.horizontalAccuracy) = (now.addingTimeInterval(-age), 5)
        return point
    }

    @Test(
        "Go determines a young fix, fits the region, names the address and puts a purple pin (SAMPLE-15, MAP-07, MAP-10)"
    )
    func goShowsWhereTheDeviceIs() async throws {
        let app = app([point(1, 1, age: 300), point(37.33, -122.03, age: 1)])
        var steps: [MapMe.Progress] = []
        var wasEnabled = true
        app.onChange = {
            if let progress = app.progress {
                steps.append(progress)
                wasEnabled = wasEnabled && app.isGoEnabled
            }
        }
        await app.go()
        #expect(steps.map(\.part) == [0, 0.25, 0.5, 0.75, 1])
        #expect(
            steps.map(\.text) == [
                "Determining Current Location", "Reverse Geocoding Location", "Location Determined",
                "Creating Annotation",
                "Showing Annotation",
            ])
        #expect(!wasEnabled && app.isGoEnabled && app.progress == nil && app.problem == nil)
        let annotation = try #require(app.annotation)
        #expect(annotation.title == "You are Here!" && annotation.look == .pin("purple"))
        #expect(annotation.subtitle.contains("Infinite Loop") && annotation.subtitle.contains("Cupertino, CA"))
        // 2,000 metres in the direction that is shorter on the map, and more in the other.
        #expect(app.region.span.latitudeDelta >= 2_000 / 111_320 && app.region.span.latitudeDelta < 0.05)
        let stored = try container.viewContext.fetch(NSFetchRequest<MapLocation>(entityName: "MapLocation"))
        #expect(stored.count == 1 && stored[0].latitude == 37.33 && stored[0].longitude == -122.03)
        #expect(stored[0].zip == "95014" && stored[0].address.line == annotation.subtitle)
    }

    @Test("a refusal, a geocoder that fails, and a map that fails each give a message (SAMPLE-15, MAP-08)")
    func failuresGiveMessages() async throws {
        let refused = app(
            [point(1, 1, age: 0)],
            authorizer: LocationAuthorizer(usageDescription: "To show where you are") { _ in false })
        await refused.go()
        #expect(refused.problem == "Access Denied" && refused.annotation == nil && refused.isGoEnabled)
        let silent = app([point(1, 1, age: 0)], failure: CLError(.network, reason: "no service answers"))
        await silent.go()
        #expect(silent.problem == "no service answers" && silent.annotation == nil)
        silent.mapFailed(CocoaError(.fileNoSuchFile))
        #expect(silent.problem?.hasPrefix("The map cannot be shown") == true)
        let old = app([point(1, 1, age: 300)])
        await old.go()
        #expect(old.problem != nil && old.annotation == nil)
        #expect(try container.viewContext.count(for: NSFetchRequest<MapLocation>(entityName: "MapLocation")) == 0)
    }

    @Test("kinds have pins, pictures of the program's own, or the default look (SAMPLE-15, MAP-04, MAP-05)")
    func kindsHaveLooks() {
        #expect(Annotation.look(ofKind: "MapLocation") == .pin("purple"))
        #expect(Annotation.look(ofKind: "MapLocation", pictures: ["MapLocation": "star"]) == .picture("star"))
        #expect(Annotation.look(ofKind: "Shop") == .standard)
    }

    @Test("the property lists show the places without a problem (SAMPLE-15)")
    func propertyListsAreShown() async throws {
        let shown = try await ShownApp("MapMe", in: folder)
        #expect(shown.problems.isEmpty && shown.titles.count == 1, "\(shown)")
    }
}
