import CoreDataPlaces
import Foundation
import TestBasics
import Testing

/// GPX and GeoJSON as others write them, and what is refused.
@Suite struct TrackReadingTests {
    private func read(_ text: String, _ limits: TrackDocument.Limits = .init()) throws(TrackError) -> TrackDocument {
        try TrackDocument(data: Data(text.utf8), limits: limits)
    }

    private func refusal(_ text: String, _ limits: TrackDocument.Limits = .init()) -> TrackError? {
        do throws(TrackError) {
            _ = try read(text, limits)
            return nil
        } catch { return error }
    }

    @Test("GPX with name spaces, extensions, CDATA and references is read")
    func gpx() throws {
        let document = try read(
            """
            \u{FEFF}<?xml version="1.0" encoding="UTF-8" standalone="no" ?>
            <!-- a <comment> with <!DOCTYPE -->
            <g:gpx xmlns:g="http://www.topografix.com/GPX/1/1" version='1.1'>
            <g:metadata><g:name>Day &amp; night</g:name><g:time>2024-01-01T00:00:00Z</g:time></g:metadata>
            <g:wpt lat="47.5" lon=" 8.25 "><g:ele>408.5</g:ele><g:name><![CDATA[<Peak> & more]]></g:name><g:desc>Gr&#xFC;&#223;e</g:desc></g:wpt>
            <g:rte><g:name>R</g:name><g:rtept lat="1" lon="2"/><g:rtept lat="3" lon="4"></g:rtept></g:rte>
            <g:trk><g:name>T</g:name><g:trkseg>
             <g:trkpt lat="-16.5" lon="179.9"><g:time>2024-02-29T23:59:59.250+13:00</g:time><g:hdop>1.5</g:hdop>
              <g:extensions><x:hr xmlns:x="x">120<x:name>hidden</x:name></x:hr></g:extensions><g:ele>5</g:ele></g:trkpt>
            </g:trkseg><g:trkseg/><g:trkseg><g:trkpt lat="-16.5" lon="-179.9"/></g:trkseg></g:trk>
            </g:gpx>
            """)
        #expect(document.name == "Day & night")
        #expect(document.waypoints.map(\.name) == ["<Peak> & more"])
        #expect(document.waypoints.first?.comment == "Grüße" && document.waypoints.first?.elevation == 408.5)
        #expect(document.routes.map { $0.points.map(\.coordinate.longitude) } == [[2, 4]])
        #expect(document.tracks.map(\.segments.count) == [2])
        let point = try #require(document.tracks.first?.points.first)
        #expect(point.timestamp == Date(timeIntervalSince1970: 1_709_204_399.25) && point.elevation == 5)
        #expect(point.horizontalAccuracy == 7.5 && point.name == nil)
    }

    @Test("GPX in Latin-1 is read by its declaration; other encodings are refused")
    func encodings() throws {
        let text =
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><gpx><wpt lat=\"1\" lon=\"2\"><name>K\u{F6}ln</name></wpt></gpx>"
        let document = try TrackDocument(data: try #require(text.data(using: .isoLatin1)))
        #expect(document.waypoints.first?.name == "Köln")
        let other = text.replacingOccurrences(of: "ISO-8859-1", with: "UTF-7")
        #expect(refusal(other)?.code == .malformed)
        #expect(throws: TrackError.self) { try TrackDocument(data: Data([0xFE, 0xFF, 0, 60])) }
        let broken = Data("<gpx><name>".utf8) + Data([0xC3, 0x28]) + Data("</name></gpx>".utf8)
        #expect(throws: TrackError.self) { try TrackDocument(data: broken) }
    }

    @Test(
        "malformed, hostile and wrong files are refused with the line and a reason",
        arguments: [
            ("", TrackError.Code.malformed, 1), ("plain", .malformed, 1), ("<gpx>\n<trk>", .malformed, 2),
            ("<gpx>\n</trk></gpx>", .malformed, 2), ("<gpx/>\n<gpx/>", .malformed, 2), ("<gpx/>\ntext", .malformed, 1),
            ("<kml/>", .otherFormat, 1), ("<!DOCTYPE gpx [<!ENTITY a \"b\">]>\n<gpx>&a;</gpx>", .entities, 1),
            ("<gpx>\n&a;</gpx>", .entities, 2), ("<gpx>\n<wpt lat=\"x\" lon=\"1\"/></gpx>", .badCoordinate, 2),
            ("<gpx>\n<wpt lon=\"1\"/></gpx>", .badCoordinate, 2),
            ("<gpx>\n<wpt lat=\"nan\" lon=\"1\"/></gpx>", .badCoordinate, 2),
            ("<gpx>\n\n<wpt lat=\"151.2\" lon=\"-33.9\"/></gpx>", .badCoordinate, 3),
            ("<gpx><wpt lat=\"1\" lon=\"1\">\n<time>yesterday</time></wpt></gpx>", .badValue, 2),
            ("<gpx><wpt lat=\"1\" lat=\"1\" lon=\"1\"/></gpx>", .malformed, 1),
            ("<gpx><wpt lat=1 lon=\"1\"/></gpx>", .malformed, 1),
            ("<gpx>&#0;</gpx>", .malformed, 1), ("<gpx>\u{1}</gpx>", .malformed, 1),
            ("<gpx><!-- x</gpx>", .malformed, 1),
            ("{\"type\":\"Point\"}", .badValue, 1), ("{}", .otherFormat, 1), ("{\"type\":\n1e999}", .malformed, 2),
            ("{\"type\":\"Point\",\n\"coordinates\":[-33.9, 151.2]}", .badCoordinate, 2),
            ("{\"type\":\"Point\",\"coordinates\":[1]}", .badCoordinate, 1), ("{\"a\":tru}", .malformed, 1),
            ("{\"type\":\"LineString\",\"coordinates\":[[1,2],\n[3,\"4\"]]}", .badCoordinate, 2),
            ("{\"a\":1", .malformed, 1),
            ("{\"a\":\"\\ud800x\"}", .malformed, 1), ("{\"a\":01}", .malformed, 1), ("{} 1", .malformed, 1),
        ])
    func refusals(text: String, code: TrackError.Code, line: Int) throws {
        let error = try #require(refusal(text))
        #expect(error.code == code && error.line == line, "\(error)")
        #expect(error.column != nil && error.description.hasPrefix("line \(line), column "))
    }

    @Test("coordinates in the wrong order are refused with a hint")
    func wrongOrder() {
        #expect(refusal("<gpx><wpt lat=\"151.2\" lon=\"-33.9\"/></gpx>")?.hint.contains("exchanged") == true)
        let point = "{\"type\":\"Point\",\"coordinates\":[-33.9,151.2]}"
        #expect(refusal(point)?.hint.contains("longitude first") == true)
    }

    @Test("what is too large or too deep is refused, before it is in memory")
    func limits() {
        let points = String(repeating: "<wpt lat=\"1\" lon=\"2\"/>", count: 101)
        #expect(refusal("<gpx>\(points)</gpx>", .init(points: 100))?.code == .tooLarge)
        #expect(refusal("<gpx>\(points)</gpx>", .init(points: 101)) == nil)
        #expect(refusal("<gpx>\(points)</gpx>", .init(bytes: 1000))?.code == .tooLarge)
        #expect(refusal(String(repeating: "<gpx>", count: 100_000))?.code == .tooLarge)
        #expect(refusal("{\"a\":" + String(repeating: "[", count: 100_000))?.code == .tooLarge)
        #expect(refusal("<gpx><name>" + String(repeating: "x", count: 70_000) + "</name></gpx>")?.code == .tooLarge)
        let list = String(repeating: "[1,2],", count: 101)
        let line = "{\"type\":\"MultiPoint\",\"coordinates\":[\(list)[1,2]]}"
        #expect(refusal(line, .init(points: 100))?.code == .tooLarge)
    }

    @Test("a file of 40,000 points is read in pieces from the disk, and each byte cut off is an error or the same")
    func largeFiles() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("long.gpx")
        let points = (0..<40_000).map { "<trkpt lat=\"\(Double($0) / 10_000)\" lon=\"8.5\"><ele>\($0)</ele></trkpt>\n" }
        try Data("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8).write(to: url)
        let document = try TrackDocument(contentsOf: url)
        #expect(document.tracks.first?.points.count == 40_000)
        #expect(document.tracks.first?.points.last?.elevation == 39_999)
        let small = Array("<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>".utf8)
        for count in 0..<small.count {
            #expect(throws: TrackError.self, "\(count)") { try TrackDocument(data: Data(small[..<count])) }
        }
        #expect(throws: TrackError.self) { try TrackDocument(contentsOf: folder.url.appendingPathComponent("none")) }
    }

    @Test("random changes of bytes are read or refused, never a trap")
    func damagedFiles() throws {
        let gpx = try TrackDocument(
            data: Data(
                "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"><time>2024-01-01T00:00:00Z</time></trkpt></trkseg></trk></gpx>"
                    .utf8))
        var random = SeededRandom(seed: 7)
        for original in [try gpx.gpxData(), try gpx.geoJSONData()] {
            var refused = 0
            for _ in 0..<3000 {
                var bytes = Array(original)
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                if (try? TrackDocument(data: Data(bytes))) == nil { refused += 1 }
            }
            #expect(refused > 1000)
        }
    }
}
