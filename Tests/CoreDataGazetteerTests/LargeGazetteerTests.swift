import CoreDataGazetteer
import CoreDataPlaces
import Foundation
import TestBasics
import Testing

/// The gazetteer of `make gazetteer`, where its table is.
@Suite struct LargeGazetteerTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let table = package.appendingPathComponent(".build/gazetteer/places.csv")
    private static let borders = package.appendingPathComponent(
        "Sources/Workbench/CoreDataBrowser/Assets/map/countries.json")
    private static var isThere: Bool { FileManager.default.fileExists(atPath: table.path) }

    /// Places of the table, every nth.
    private static func places(each step: Int) throws -> [(
        number: Int, place: CLLocationCoordinate2D, country: Substring
    )] {
        let lines = try String(contentsOf: table, encoding: .utf8).split(separator: "\n").dropFirst()
        return lines.enumerated().compactMap { number, line in
            guard number % step == 0, !line.contains("\"") else { return nil }
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard let latitude = Double(fields[0]), let longitude = Double(fields[1]) else { return nil }
            return (number, CLLocationCoordinate2DMake(latitude, longitude), fields[5])
        }
    }

    @Test(
        "MAP-10: of places held back from GeoNames' table at least 99.5 % are in the right country, and Cologne is found",
        .enabled(if: isThere, "make gazetteer makes the table"))
    func heldBackPlaces() async throws {
        let folder = try TemporaryFolder()
        let step = 97
        let sample = try Self.places(each: step)
        let url = folder.url.appendingPathComponent("g.sqlite")
        let made = try Gazetteer.make(at: url, places: Self.table, borders: Self.borders) { $0 % step != 0 }
        #expect(made.places > 143_000 && made.nameless == 2)
        let gazetteer = try Gazetteer(contentsOf: url)
        var (right, nearest) = (0, 0)
        for each in sample {
            let found = try gazetteer.placemarks(near: each.place, limit: 8)
            if found.first?.isoCountryCode == String(each.country) { right += 1 }
            let near = found.filter { $0.locality != nil }.min { ($0.distance ?? 0) < ($1.distance ?? 0) }
            if near?.isoCountryCode == String(each.country) { nearest += 1 }
        }
        let shares = [right, nearest].map { Double($0) / Double(sample.count) * 100 }
        print("right country: \(shares[0]) %, by the nearest place alone \(shares[1]) %, of \(sample.count) places")
        #expect(shares[0] >= 99.5 && right > nearest)
        for text in ["Cologne", "Köln", "Koeln", "Koln, Germany"] {
            let found = try await gazetteer.placemarks(named: text, in: nil, limit: 1, locale: nil)
            #expect(found.first?.isoCountryCode == "DE", "\(text)")
        }
        // 11 m east of the date line, where a search in flat numbers finds a place 360 km away.
        let east = try gazetteer.placemarks(near: CLLocationCoordinate2DMake(-16.5, -179.9999), limit: 2)
        #expect(try #require(east.compactMap(\.distance).filter { $0 > 0 }.min()) < 100_000)
    }
}
