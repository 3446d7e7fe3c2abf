import Testing

@testable import CoreDataGraph

@Suite struct HistoryTokenArchiveTests {
    private let numbers: [String: Int64] = ["one": 1, "two": .max, "": 0]

    @Test("the bytes of a token are read back; cut, longer, and changed ones are refused (HAZ-32)")
    func bytesOfTokenAreReadBack() {
        let bytes = HistoryTokenArchive.bytes(of: numbers)
        #expect(HistoryTokenArchive.numbers(in: bytes) == numbers)
        for count in bytes.indices { #expect(HistoryTokenArchive.numbers(in: Array(bytes.prefix(count))) == nil) }
        #expect(HistoryTokenArchive.numbers(in: bytes + [0]) == nil)
        for place in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[place] ^= 1 << UInt8(bit)
                #expect(HistoryTokenArchive.numbers(in: changed) == nil)
            }
        }
    }

    @Test("bytes with a right sum and a wrong content are refused (HAZ-32)")
    func bytesWithRightSumAndWrongContentAreRefused() {
        #expect(HistoryTokenArchive.numbers(in: HistoryTokenArchive.bytes(of: ["a": -1])) == nil)
        let long = String(repeating: "x", count: 70_000)
        #expect(HistoryTokenArchive.numbers(in: HistoryTokenArchive.bytes(of: [long: 1])) == nil)
    }
}
