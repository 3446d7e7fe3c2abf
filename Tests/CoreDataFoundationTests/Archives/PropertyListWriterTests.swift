import CoreDataFoundation
import Testing

@Suite struct PropertyListWriterTests {
    private static let values: [PropertyList] = [
        .boolean(true), .boolean(false), .integer(0), .integer(255), .integer(256), .integer(65_535), .integer(65_536),
        .integer(4_294_967_295), .integer(4_294_967_296), .integer(.max), .integer(-1), .integer(.min), .unsigned(.max),
        .real(-0.5), .real(.greatestFiniteMagnitude), .date(Date(timeIntervalSinceReferenceDate: 12.5)),
        .data(Data()), .data(Data(repeating: 7, count: 300)), .string(""), .string("fourteen chars"),
        .string("fifteen letters"), .string(String(repeating: "x", count: 70_000)), .string("naïve \u{1F600} žluť"),
        .array([]), .array((0..<20).map { .integer($0) }), .dictionary([:]), .uid(0), .uid(255), .uid(256),
        .uid(70_000),
        .dictionary(["a": .array([.string("a"), .string("a")]), "b": .dictionary(["a": .integer(1)])]),
    ]

    @Test("what is written as a property list is read as it was (MOD-02)", arguments: values)
    func valuesAreReadAsWritten(value: PropertyList) throws {
        #expect(try PropertyList(binary: PropertyList.array([value]).binaryData) == .array([value]))
    }

    @Test("Foundation reads what is written (MOD-02)")
    func foundationReadsIt() throws {
        let written = Self.values.filter { if case .uid = $0 { false } else { true } }
        let list = try PropertyListSerialization.propertyList(from: PropertyList.array(written).binaryData, format: nil)
        let values = try #require(list as? [Any])
        #expect(values.count == written.count)
        for (value, expected) in zip(values, written) {
            #expect((value as? NSObject) == (expected.foundationValue as? NSObject), "\(expected)")
        }
    }

    @Test("equal lists give equal bytes, whatever the order in which they were made (MOD-02)")
    func equalListsGiveEqualBytes() {
        let keys = (0..<500).map { "key\($0)" }
        let one = Dictionary(uniqueKeysWithValues: keys.map { ($0, PropertyList.string($0)) })
        var other: [String: PropertyList] = [:]
        other.reserveCapacity(4_000)
        for key in keys.reversed() { other[key] = .string(key) }
        #expect(PropertyList.dictionary(one).binaryData == PropertyList.dictionary(other).binaryData)
    }

    @Test("composed and decomposed texts are two, also as keys and values of one list (MOD-02)")
    func compositionsAreKept() throws {
        let texts = ["\u{E9}", "e\u{301}", "\u{E9}"]
        let list = PropertyList.array(texts.map { .string($0) } + [.dictionary([texts[1]: .string(texts[0])])])
        let data = list.binaryData
        guard case .array(let read) = try PropertyList(binary: data) else { throw CocoaError(.propertyListReadCorrupt) }
        let lengths = read.map { value -> [Int] in
            switch value {
            case .string(let text): return [text.utf8.count]
            case .dictionary(let pairs):
                return pairs.flatMap { pair -> [Int] in
                    guard case .string(let text) = pair.value else { return [] }
                    return [pair.key.utf8.count, text.utf8.count]
                }
            default: return []
            }
        }
        #expect(lengths == [[2], [3], [2], [3, 2]])
    }
}
