import DiscoveryKit
import TestBasics
import Testing

@Suite("TXT records")
struct TextRecordTests {
    private func entry(_ key: String, _ value: String?) -> TextRecord.Entry { .init(key, value.map { Array($0.utf8) }) }

    @Test("entries keep their order, values and keys without values (PEER-04)")
    func roundTrip() throws {
        let record = try TextRecord([
            entry("b", "2"), entry("a", ""), entry("flag", nil), .init("bytes", [0, 255, 61, 10]), entry("C", "x=y"),
        ])
        #expect(record.bytes.starts(with: [3, 98, 61, 50, 2, 97, 61, 4]))
        #expect(TextRecord(received: record.bytes) == record)
        #expect(record.value(of: "c") == Array("x=y".utf8))
        #expect(record.value(of: "flag") == nil)
        #expect(TextRecord.empty.bytes.isEmpty)
    }

    @Test("an entry of 255 bytes is taken and one of 256 is not (PEER-04)")
    func limits() throws {
        let value = String(repeating: "v", count: 251)
        #expect(try TextRecord([entry("key", value)]).bytes.count == 256)
        let error = #expect(throws: DiscoveryError.self) { try TextRecord([entry("key", value + "v")]) }
        #expect(error?.code == .invalidText)
        #expect(error?.reason.contains("256 bytes") == true)
        let many = (0..<32).map { entry("k\($0)", String(repeating: "v", count: 250)) }
        let tooMany = #expect(throws: DiscoveryError.self) { try TextRecord(many) }
        #expect(tooMany?.hint.contains("8000") == true, "\(String(describing: tooMany))")
    }

    @Test("keys are ASCII without an equals sign, and differ", arguments: ["", "a=b", "é", "a\u{7}"])
    func keys(_ key: String) throws {
        #expect(throws: DiscoveryError.self) { try TextRecord([entry(key, "v")]) }
        #expect(throws: DiscoveryError.self) { try TextRecord([entry("key", "1"), entry("KEY", "2")]) }
        #expect(try TextRecord([entry("ninechars", "1"), entry("tencharsxy", "1")]).longKeys == ["tencharsxy"])
    }

    @Test("what is malformed in a received record is left out")
    func received() {
        #expect(TextRecord(received: []) == .empty)
        #expect(TextRecord(received: [0]) == .empty)
        #expect(TextRecord(received: [200, 97]) == .empty)
        let bytes: [UInt8] = [3, 97, 61, 49, 2, 61, 50, 3, 65, 61, 51, 2, 0xC3, 61, 1, 98, 9, 99]
        #expect(TextRecord(received: bytes).entries == [entry("a", "1"), entry("b", nil)])
    }

    @Test("random bytes are read without harm, and what is read can be written")
    func random() throws {
        var random = SeededRandom(seed: TestSeed.first)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0...600, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...12, using: &random) : .random(in: 0...255, using: &random)
            }
            let record = TextRecord(received: bytes)
            #expect(record.bytes.count <= bytes.count)
            #expect(TextRecord(received: record.bytes) == record)
        }
    }
}
