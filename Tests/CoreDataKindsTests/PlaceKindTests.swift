import CoreData
import Testing

@testable import CoreDataKinds

@Suite("Kinds of places, addresses and ways") struct PlaceKindTests {
    private static let gpx = """
        <?xml version="1.0"?><gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Walk</name>
        <trkseg><trkpt lat="52.5" lon="13.4"/><trkpt lat="52.51" lon="13.4"/></trkseg></trk></gpx>
        """

    private static func content(_ value: Any) throws -> String {
        let kind = try #require(KindRegistry.kind("track"))
        let use = KindUse(kind: "track", key: "value", origin: .model)
        return JSONWriter.line(try #require(kind.content(KindValues(["value": value]), use)))
    }

    @Test("a way is read from GPX and GeoJSON, text or data, with its length and points (MAP-06)")
    func waysAreReadFromBothForms() throws {
        for value in [Self.gpx as Any, Data(Self.gpx.utf8)] {
            #expect(try KindTexts.reading("track", value).text.hasPrefix("GPX, "))
            let content = try Self.content(value)
            #expect(content.contains("\"name\":\"Walk\"") && content.contains("\"points\":2"), "\(content)")
            #expect(content.contains("\"length\":1113") || content.contains("\"length\":1112"), "\(content)")
        }
        let json =
            #"{"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": [[13.4, 52.5], [13.5, 52.5]]}}"#
        #expect(try KindTexts.reading("track", json).text.hasPrefix("GeoJSON, "))
        #expect(try Self.content(json).contains("[[[13.4,52.5],[13.5,52.5]]]"))
    }

    @Test("a long way is drawn by at most some hundred points, and a broken one says where it is broken")
    func longAndBrokenWaysAreBounded() throws {
        let points = (0..<20_000).map { "<trkpt lat=\"\(Double($0) / 1_000)\" lon=\"1\"/>" }.joined()
        let content = try Self.content("<gpx version=\"1.1\"><trk><trkseg>\(points)</trkseg></trk></gpx>")
        #expect(content.contains("\"points\":20000"))
        #expect(content.split(separator: "[").count < 600)
        let broken = try Self.content(
            "<gpx version=\"1.1\">\n<trk><trkseg><trkpt lat=\"91\" lon=\"1\"/></trkseg></trk></gpx>")
        #expect(broken.contains("problem") && broken.contains("2"), "\(broken)")
        #expect(try KindTexts.reading("track", "<html></html>").problem != nil)
        #expect(throws: InspectionError.self) { try KindTexts.value("track", "<gpx>") }
    }

    @Test("parts of an address are one line, found by their names or named by the model (MAP-11)")
    func addressesAreOneLine() throws {
        let entity = KindTexts.entity([
            KindTexts.attribute("street"), KindTexts.attribute("city"), KindTexts.attribute("zipCode"),
            KindTexts.attribute("state"),
        ])
        let kinds = EntityKinds(entity, EntitySamples(entity, [:]))
        #expect(kinds.uses.map(\.kind) == ["postalAddress"])
        let whole = kinds.readings(KindValues(["street": "Ring 1", "city": "Bern", "state": "BE", "zipCode": "3000"]))
        #expect(whole.first?.reading.text == "Ring 1, Bern, BE  3000")
        #expect(
            kinds.readings(KindValues(["street": "Ring 1", "zipCode": "3000"])).first?.reading.text == "Ring 1  3000")
        let alone = KindTexts.entity([KindTexts.attribute("street"), KindTexts.attribute("name")])
        #expect(EntityKinds(alone, EntitySamples(alone, [:])).uses.isEmpty)
        let named = KindTexts.entity([
            KindTexts.attribute("line", kind: ["valueKind": "postalAddress", "valueKind.city": "ort"]),
            KindTexts.attribute("ort"),
        ])
        #expect(EntityKinds(named, EntitySamples(named, [:])).uses.first?.others == ["city": "ort"])
        let wrong = KindTexts.entity([
            KindTexts.attribute("line", kind: ["valueKind": "postalAddress", "valueKind.city": "ort"])
        ])
        #expect(EntityKinds(wrong, EntitySamples(wrong, [:])).problems.first?.contains("ort") == true)
    }
}
