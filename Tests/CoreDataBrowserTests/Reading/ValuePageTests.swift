import CoreData
import StoreContract
import Testing

@testable import CoreDataBrowser

@Suite("Values in the browser")
struct ValuePageTests {
    private func stack(_ data: Data, text: String = "t", kind: StoreKind = .sqlite) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("File", ["data": .binaryDataAttributeType, "text": .stringAttributeType])
        builder.attribute("File.data").allowsExternalBinaryDataStorage = data.count > 1 << 20
        let stack = try Stack(builder.model, kind: kind)
        stack.context.insert("File", ["data": data, "text": text])
        try stack.context.save()
        return stack
    }

    @Test(
        "pictures are known by their first bytes, anything else is never interpreted (BRW-40)",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1], "image/png"),
            ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
            (Array("GIF89a…".utf8), "image/gif"), (Array("RIFF1234WEBP".utf8), "image/webp"),
            (Array("RIFF1234WAVE".utf8), "audio/wav"), (Array("ID3…".utf8), "audio/mpeg"),
            (Array("\0\0\0\u{18}ftypisom".utf8), "video/mp4"), (Array("\0\0\0\u{18}ftypM4A ".utf8), "audio/mp4"),
            ([0x1A, 0x45, 0xDF, 0xA3, 0x87, 0x42, 0x82, 0x84] + Array("webm".utf8), "video/webm"),
            (Array("%PDF-1.7".utf8), "application/octet-stream"),
            (Array("<svg onload='alert(1)'/>".utf8), "application/octet-stream"),
            (Array("<html><script>".utf8), "application/octet-stream"), ([], "application/octet-stream"),
        ])
    func types(_ bytes: [UInt8], _ type: String) async throws {
        let answers = BrowserAnswers(try stack(Data(bytes)))
        let response = await answers.response("/stores/1/objects/File/p1/values/data")
        #expect(response.status == 200 && response.headers["Content-Type"] == type)
        #expect(response.headers["Content-Security-Policy"]?.hasPrefix("sandbox") == true)
        #expect(response.headers["X-Content-Type-Options"] == "nosniff")
        let body = try await response.body.bytes(limit: 1_000)
        #expect(body == bytes)
    }

    @Test(
        "a range of a large value is handed over in pieces, in the row, in a file and in stores read whole (BRW-40)",
        arguments: [(1_000_000, StoreKind.sqlite), (3_000_000, .sqlite), (1_000_000, .xml)])
    func rangeOfLargeValueIsHandedOverInPieces(count: Int, kind: StoreKind) async throws {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let stack = try stack(data, kind: kind)
        // With the stack the files beside its store go.
        defer { withExtendedLifetime(stack) {} }
        let answers = BrowserAnswers(stack)
        let target = "/stores/1/objects/File/p1/values/data"
        let part = await answers.response(target, ["Range": "bytes=300000-899999"])
        #expect(part.status == 206 && part.headers["Content-Range"] == "bytes 300000-899999/\(count)")
        #expect(try await part.body.bytes(limit: 1 << 20) == Array(data[300_000..<900_000]))
        let whole = await answers.response(target)
        #expect(whole.body.count == count)
        let first = try #require(try await whole.body.next())
        #expect(first.count <= 1 << 20)
        #expect(try await first + whole.body.bytes(limit: 1 << 22) == Array(data))
        let beyond = await answers.response(target, ["Range": "bytes=\(count)-"])
        #expect(beyond.status == 416 && beyond.headers["Content-Range"] == "bytes */\(count)")
        let list = try await answers.json("/stores/1/entities/File")
        #expect(list["rows"][0]["values"]["data"]["bytes"].number == count)
        let object = try await answers.json("/stores/1/objects/File/p1")
        #expect(object["attributes"].named("data")["value"].isNull)
        #expect(object["attributes"].named("data")["bytes"].number == count)
    }

    @Test("a value that is changed while it is handed over ends the answer (BRW-40)")
    func changedMeanwhile() async throws {
        let stack = try stack(Data(repeating: 1, count: 3_000_000))
        let whole = await BrowserAnswers(stack).response("/stores/1/objects/File/p1/values/data")
        #expect(try await whole.body.next()?.count == 1 << 20)
        try stack.context.all("File").first?.setValue(Data(repeating: 2, count: 3_000_000), forKey: "data")
        try stack.context.save()
        await #expect(throws: (any Error).self) { try await whole.body.next() }
        let again = await BrowserAnswers(stack).response(
            "/stores/1/objects/File/p1/values/data", ["Range": "bytes=0-1"])
        #expect(try await again.body.bytes(limit: 2) == [2, 2])
    }

    @Test("lists say of pictures alone what they are (BRW-40)")
    func listsSayOfPicturesAlone() async throws {
        let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1])
        let list = try await BrowserAnswers(try stack(png)).json("/stores/1/entities/File")
        #expect(list["rows"][0]["values"]["data"]["type"].text == "image/png")
        let svg = try await BrowserAnswers(try stack(Data("<svg/>".utf8))).json("/stores/1/entities/File")
        #expect(svg["rows"][0]["values"]["data"]["type"].isNull)
    }

    @Test("bytes of archives, property lists and JSON are shown as what they say (BRW-41)")
    func bytesOfArchivesPropertyListsAndJSONAreShownAsWhatTheySay() async throws {
        let target = "/stores/1/objects/File/p1/values/data/decoded"
        let list = try PropertyListSerialization.data(
            fromPropertyList: ["a": [1, "x"], "b": Data([1, 255])], format: .binary, options: 0)
        let told = try await BrowserAnswers(try stack(list)).json(target)
        #expect(told["kind"].text == "propertyList" && told["value"]["a"][1].text == "x")
        #expect(told["value"]["b"]["hex"].text == "01ff" && told["complete"].flag == true)
        let markup = try PropertyListSerialization.data(
            fromPropertyList: ["a": [1, "x"]], format: .xml, options: 0)
        let marked = try await BrowserAnswers(try stack(markup)).json(target)
        #expect(marked["kind"].text == "propertyList" && marked["value"]["a"][1].text == "x")
        let text = try await BrowserAnswers(try stack(Data("{\"a\": 1}".utf8))).json(target)
        #expect(text["kind"].text == "json" && text["value"]["a"].number == 1)
        let other = try await BrowserAnswers(try stack(Data("plain".utf8))).json(target)
        #expect(other["kind"].text == "unknown" && other["value"].isNull)
        let answers = BrowserAnswers(try stack(Data()))
        #expect(await answers.response("/stores/1/objects/File/p1/values/text/decoded").status == 422)
        #expect(await answers.response("/stores/1/objects/File/p1/values/none/decoded").status == 422)
    }

    @Test(
        "ranges are read as RFC 9110 says (BRW-40)",
        arguments: [
            ("bytes=0-0", ByteRange.part(0..<1)), ("bytes=-3", .part(7..<10)), ("bytes=-30", .part(0..<10)),
            ("bytes=4-", .part(4..<10)), ("bytes=4-99", .part(4..<10)), ("bytes=10-", .unsatisfiable),
            ("bytes=-0", .unsatisfiable), ("bytes=5-4", .whole), ("bytes=a-b", .whole), ("bytes=1-2,4-5", .whole),
            ("items=1-2", .whole), ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=-", .whole),
            ("bytes=0-9223372036854775807", .part(0..<10)),
        ])
    func rangesAreReadAsRFC9110Says(_ field: String, _ expected: ByteRange) {
        #expect(ByteRange(field, count: 10) == expected)
    }

    @Test("texts of a million characters, floods of marks and bidirectional controls are cut in lists (HAZ-26)")
    func longTexts() async throws {
        let flood = "a" + String(repeating: "\u{301}", count: 1_000_000) + "\u{202E}end"
        let answers = BrowserAnswers(try stack(Data(), text: flood))
        let response = await answers.response("/stores/1/entities/File")
        let bytes = try await response.body.bytes(limit: 20_000)
        #expect(bytes.count < 10_000)
        let row = try await answers.json("/stores/1/entities/File")["rows"][0]
        #expect(row["values"]["text"].text?.unicodeScalars.count == 300 && row["cut"][0].text == "text")
        let object = try await answers.json("/stores/1/objects/File/p1")
        #expect(object["attributes"].named("text")["cut"].flag == true)
        let whole = try await answers.response("/stores/1/objects/File/p1/values/text").body.bytes(limit: 1 << 22)
        #expect(whole == Array(flood.utf8))
    }
}
