import CoreDataGazetteer
import CoreDataPlaces
import Foundation
import SQLiteKit
import TestBasics
import Testing

/// Gazetteers of small tables: nearest places, names, borders, bad tables.
@Suite struct GazetteerTests {
    private func code(_ body: () async throws -> Void) async -> CLError.Code? {
        do {
            try await body()
            return nil
        } catch { return (error as? CLError)?.code }
    }

    @Test("MAP-10: the nearest place has its fields, its distance and whose data it is")
    func nearestPlace() async throws {
        let small = try SmallGazetteer()
        let found = try #require(try await small.near(50.94, 6.96, locale: Locale(identifier: "de")).first)
        #expect(found.locality == "Köln" && found.administrativeArea == "North Rhine-Westphalia")
        #expect(found.subAdministrativeArea == "Regierungsbezirk Köln" && found.isoCountryCode == "DE")
        #expect(found.country == "Deutschland" && found.attribution == Gazetteer.attribution)
        #expect(abs(try #require(found.distance) - 1021) < 5)
        #expect(found.thoroughfare == nil && found.postalCode == nil)
        // Of the quoted field with a comma and marks, and of an empty one.
        #expect(try await small.near(45.58, 9.94).first?.subAdministrativeArea == "Provincia di \"Brescia\", more")
        #expect(try await small.near(48.85, 2.35).first?.subAdministrativeArea == nil)
    }

    @Test("MAP-10: places are found on both sides of the date line, measured on the sphere")
    func dateLine() async throws {
        let small = try SmallGazetteer()
        // 11 m east of the line: Taveuni is 11 km away, Labasa 70 km.
        let east = try await small.near(-16.7, -179.9999, limit: 2)
        #expect(east.map(\.name) == ["Taveuni", "Labasa"])
        #expect(abs(try #require(east.first?.distance) - 10_640) < 50)
        let west = try await small.near(-16.7, 179.9999, limit: 2)
        #expect(west.map(\.name) == ["Taveuni", "Labasa"])
        #expect(try await small.near(-16.7, 180).first?.name == "Taveuni")
        #expect(try await small.near(-16.7, -180).first?.name == "Taveuni")
    }

    @Test("MAP-10: the nearest place of the poles and of the open sea is the nearest on the sphere of all")
    func farPlaces() async throws {
        let small = try SmallGazetteer()
        var random = SeededRandom(seed: 11)
        let places = SmallGazetteer.table.split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            return CLLocationCoordinate2DMake(Double(fields[0]) ?? 0, Double(fields[1]) ?? 0)
        }
        let points =
            [(90.0, 0.0), (-90, 0), (0, 180), (89.999, -180)]
            + (0..<300).map { _ in
                (Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))
            }
        for (latitude, longitude) in points {
            let here = CLLocationCoordinate2DMake(latitude, longitude)
            let least = try #require(places.map { here.sphericalDistance(to: $0) }.min())
            let found = try #require(try await small.near(latitude, longitude).first?.distance)
            #expect(abs(found - least) < 0.001, "\(latitude) \(longitude)")
        }
    }

    @Test("MAP-10: the country is that of the border around the location, else that of the nearest place")
    func countries() async throws {
        let borders = [("CH", 700, 4600, 1000, 4758), ("DE", 700, 4758, 1000, 5500), ("ZZ", -2000, -1000, -1000, 0)]
        let small = try SmallGazetteer(borders: borders)
        // In Switzerland, but Weil in Germany is nearer.
        let basel = try #require(try await small.near(47.579, 7.6).first)
        #expect(basel.isoCountryCode == "CH" && basel.name == "Basel")
        // Beside all borders.
        #expect(try await small.near(48.86, 2.35).first?.isoCountryCode == "FR")
        // In a country without a place for thousands of kilometres.
        let alone = try #require(try await small.near(-5, -15).first)
        #expect(alone.isoCountryCode == "ZZ" && alone.country == "Land ZZ" && alone.locality == nil)
        #expect(small.gazetteer.country(at: CLLocationCoordinate2DMake(0, 100)) == nil)
    }

    @Test("MAP-10: names are found by alternate names and by both ways of writing marks")
    func names() async throws {
        let small = try SmallGazetteer()
        for text in [
            "Köln", "Koln", "KOELN", "köln", "ケルン", "Ko\u{308}ln", " Cologne, Germany", "Cologne, Deutschland",
            "Cologne, DE",
        ] {
            #expect(try await small.names(text).first == "Köln DE", "\(text)")
        }
        #expect(try await small.names("Cologne") == ["Köln DE", "Cologne IT"])
        #expect(try await small.names("Cologne, Italy").first == "Cologne IT")
        #expect(try await small.names("Paris") == ["Paris FR", "Paris US", "Paris US"])
        let texas = try await small.gazetteer.placemarks(named: "Paris, Texas", in: nil, limit: 1, locale: nil)
        #expect(texas.first?.administrativeArea == "Texas")
        #expect(try await small.names("bale").first == "Basel CH")
        #expect(try await small.names("Longyear") == ["Longyearbyen SJ"])
        // An address with a street, which a gazetteer does not know, is the town.
        #expect(try await small.names("1 Rue de Rivoli, Paris, Île-de-France  75001").first == "Paris FR")
        let here = CLCircularRegion(center: CLLocationCoordinate2DMake(36, -88), radius: 100_000, identifier: "here")
        let near = try await small.gazetteer.placemarks(named: "Paris", in: here, limit: 1, locale: nil)
        #expect(near.first?.administrativeArea == "Tennessee")
    }

    @Test("MAP-10: names that no place has, and locations in an empty gazetteer, are errors")
    func failures() async throws {
        let small = try SmallGazetteer()
        for text in ["Atlantis", "Pa", "%", "' OR 1=1 --", "*", ",,,"] {
            #expect(await code { _ = try await small.names(text) } == .geocodeFoundNoResult, "\(text)")
        }
        let empty = try SmallGazetteer("lat,lon,name,admin1,admin2,cc\n")
        #expect(await code { _ = try await empty.near(1, 1) } == .geocodeFoundNoResult)
        let invalid = CLLocation(latitude: .nan, longitude: 0)
        #expect(
            await code { _ = try await small.gazetteer.placemarks(near: invalid, limit: 1, locale: nil) }
                == .geocodeFoundNoResult)
    }

    @Test("MAP-10: a geocoder asks the gazetteer")
    func geocoder() async throws {
        let geocoder = CLGeocoder(service: try SmallGazetteer().gazetteer)
        let found = try await geocoder.geocodeAddressString("Cologne, Italy")
        #expect(found.first?.address.line == "Cologne, Lombardy")
        let place = try #require(found.first?.location)
        #expect(try await geocoder.reverseGeocodeLocation(place).first?.distance == 0)
    }

    @Test(
        "tables that are wrong are refused with their line, and leave the gazetteer that is there",
        arguments: [
            ("latitude,longitude\n", 1), ("", 1), ("lat,lon,name,admin1,admin2,cc\n91,0,A,,,DE\n", 2),
            ("lat,lon,name,admin1,admin2,cc\n1,0,A,,,DE\n151,-33,A,,,DE\n", 3),
            ("lat,lon,name,admin1,admin2,cc\nx,0,A,,,DE\n", 2), ("lat,lon,name,admin1,admin2,cc\n1,0,\"A,,,DE\n", 2),
            ("lat,lon,name,admin1,admin2,cc\n1,0,A,,,GER\n", 2),
        ])
    func badTables(table: String, line: Int) async throws {
        let small = try SmallGazetteer()
        let csv = small.folder.url.appendingPathComponent("bad.csv")
        try Data(table.utf8).write(to: csv)
        let error = #expect(throws: GazetteerError.self) { try Gazetteer.make(at: small.url, places: csv) }
        #expect(
            error?.line == line && error?.file == "bad.csv" && error?.code == .badSource, "\(String(describing: error))"
        )
        #expect(try Gazetteer(contentsOf: small.url).placemarks(near: CLLocationCoordinate2DMake(48, 2)).count == 1)
        let files = try FileManager.default.contentsOfDirectory(atPath: small.folder.url.path)
        #expect(!files.contains { $0.hasPrefix(".") })
    }

    @Test("rows without a name are left out and counted")
    func namelessRows() throws {
        let small = try SmallGazetteer()
        let csv = small.folder.url.appendingPathComponent("two.csv")
        try Data("lat,lon,name,admin1,admin2,cc\r\n1,0,,,,DE\r\n2,0,B,,,DE\r\n".utf8).write(to: csv)
        let made = try Gazetteer.make(at: small.url, places: csv)
        #expect(made.places == 1 && made.nameless == 1 && made.borders == 0)
    }

    @Test("borders that are damaged are refused, and files of another kind are not opened")
    func badFiles() throws {
        let small = try SmallGazetteer()
        let json = small.folder.url.appendingPathComponent("bad.json")
        let csv = small.folder.url.appendingPathComponent("p.csv")
        for text in [
            "", "{}", "{\"scale\":0,\"countries\":[]}", "{\"scale\":7,\"countries\":[]}",
            "{\"scale\":10,\"countries\":[{\"code\":\"A\",\"name\":\"B\",\"rings\":[[1,2,3]]}]}",
            "{\"scale\":10,\"countries\":[{\"code\":\"A\",\"name\":\"B\",\"rings\":[[1800,2,3,4,5,6]]}]}",
            "{\"scale\":10,\"countries\":[{\"code\":\"A\",\"name\":\"B\",\"rings\":[[9223372036854775807,2,3,4,5,6]]}]}",
        ] {
            try Data(text.utf8).write(to: json)
            #expect(throws: GazetteerError.self, "\(text)") {
                try Gazetteer.make(at: small.url, places: csv, borders: json)
            }
        }
        #expect(throws: GazetteerError.self) { try Gazetteer(contentsOf: csv) }
        #expect(throws: GazetteerError.self) {
            try Gazetteer(contentsOf: small.folder.url.appendingPathComponent("none"))
        }
        let other = small.folder.url.appendingPathComponent("other.sqlite")
        let connection = try Connection.open(other.path, OpenOptions(mode: .create))
        try connection.execute("CREATE TABLE t (a)")
        connection.close()
        #expect(throws: GazetteerError.self) { try Gazetteer(contentsOf: other) }
    }
}
