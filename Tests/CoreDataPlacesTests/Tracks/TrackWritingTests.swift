import CoreDataPlaces
import Foundation
import TestBasics
import Testing

/// GPX and GeoJSON written, read back, and read by other programs.
@Suite struct TrackWritingTests {
    private static let document: TrackDocument = {
        let start = Date(timeIntervalSince1970: 1_700_000_000.125)
        let way = (0..<50).map { number -> TrackPoint in
            let share = Double(number) / 50
            let longitude = number < 25 ? 179 + share * 2 : -180 + share
            return TrackPoint(
                coordinate: CLLocationCoordinate2DMake(share * 7 - 16, longitude), elevation: share * 55,
                timestamp: start.addingTimeInterval(Double(number)))
        }
        let near = TrackPoint(
            coordinate: CLLocationCoordinate2DMake(0.00001, -1e-12), name: "<\"Ünï\" & ]]>\u{1}",
            comment: "two\nlines\u{2028}")
        return TrackDocument(
            name: "Fiji", waypoints: [near],
            routes: [Track(name: "plan", segments: [[TrackPoint(coordinate: CLLocationCoordinate2DMake(90, 180))]])],
            tracks: [Track(name: "way", comment: "c", segments: [way, Array(way.prefix(2))])])
    }()

    @Test("a document written as GPX and as GeoJSON is read back as it was, over the date line too")
    func readBack() throws {
        var expected = Self.document
        expected.waypoints[0].name = "<\"Ünï\" & ]]>"
        #expect(try TrackDocument(data: try Self.document.gpxData()) == expected)
        let json = try Self.document.geoJSONData()
        expected.waypoints[0].name = Self.document.waypoints[0].name
        #expect(try TrackDocument(data: json) == expected)
    }

    @Test("no number is written with an exponent, next to equator and Greenwich")
    func digits() throws {
        let text = String(decoding: try Self.document.gpxData(), as: UTF8.self)
        #expect(text.contains("lat=\"0.00001\" lon=\"-0.000000000001\""))
    }

    @Test("a line over the date line is cut with the latitude and the height between its neighbours")
    func cuts() throws {
        let line = [(10.0, 179.0, 100.0), (20, -179, 200)].map {
            TrackPoint(coordinate: CLLocationCoordinate2DMake($0.0, $0.1), elevation: $0.2)
        }
        let text = String(
            decoding: try TrackDocument(tracks: [Track(segments: [line])]).geoJSONData(), as: UTF8.self)
        #expect(text.contains("[[[179,10,100],[180,15,150]],[[-180,15,150],[-179,20,200]]]"), "\(text)")
    }

    @Test("invalid coordinates are not written")
    func invalidCoordinates() {
        let document = TrackDocument(waypoints: [TrackPoint(coordinate: kCLLocationCoordinate2DInvalid)])
        #expect(throws: TrackError.self) { try document.gpxData() }
        #expect(throws: TrackError.self) { try document.geoJSONData() }
    }

    private static let program = ["/usr/bin/gpsbabel"].first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(
        "gpsbabel reads what is written, and what it writes is read",
        .enabled(if: program != nil, "Debian's package gpsbabel is missing"))
    func converter() throws {
        let folder = try TemporaryFolder()
        let (own, other) = (
            folder.url.appendingPathComponent("own.gpx"), folder.url.appendingPathComponent("other.gpx")
        )
        try Self.document.gpxData().write(to: own)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.program))
        process.arguments = ["-w", "-r", "-t", "-i", "gpx", "-f", own.path, "-o", "gpx", "-F", other.path]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let document = try TrackDocument(contentsOf: other)
        #expect(document.tracks.map(\.segments.count) == [2] && document.routes.count == 1)
        let (written, found) = (Self.document.tracks[0].points, document.tracks.flatMap(\.points))
        #expect(found.count == written.count)
        for (one, two) in zip(written, found) {
            #expect(abs(one.coordinate.latitude - two.coordinate.latitude) < 1e-8)
            #expect(abs(one.coordinate.longitude - two.coordinate.longitude) < 1e-8)
            #expect(abs((one.elevation ?? 0) - (two.elevation ?? 1)) < 0.01)
            #expect(abs(one.timestamp?.timeIntervalSince(two.timestamp ?? .distantPast) ?? 1) < 0.01)
        }
        #expect(document.waypoints.first?.name == "<\"Ünï\" & ]]>")
    }
}
