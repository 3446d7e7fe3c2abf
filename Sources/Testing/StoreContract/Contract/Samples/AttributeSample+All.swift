import CoreDataGraph
import TestBasics

extension AttributeSample {
    /// The samples of all types.
    static let all = numbers + reals + texts + bytes + others

    private static let numbers = [
        AttributeSample(name: "MOD-14: integers of 16 bits", key: "int16", values: [Int16.min, -1, 0, 1, Int16.max]),
        AttributeSample(name: "MOD-14: integers of 32 bits", key: "int32", values: [Int32.min, -1, 0, 1, Int32.max]),
        AttributeSample(name: "MOD-14: integers of 64 bits", key: "int64", values: [Int64.min, -1, 0, 1, Int64.max]),
        AttributeSample(name: "MOD-18: truth values", key: "flag", values: [true, false]),
        decimals(
            "MOD-15: decimals of 15 digits",
            texts: ["0.3", "123456789012345", "-0.00000123456789", "99999999999999.9", "0", "1e20", "-1.5"]),
        decimals(
            "MOD-15: decimals of 38 digits",
            texts: [
                "12345678901234567890123456789012345678", "-0.12345678901234567890123456789012345678",
                "99999999999999999999999999999999999999", "1e-120",
            ], needs: .exactDecimals),
        decimals("MOD-15: the decimal that is no number", texts: ["NaN", "1.5"]),
    ]

    private static func decimals(
        _ name: String, texts: [String], needs: NSPersistentStore.Capabilities = []
    ) -> AttributeSample {
        AttributeSample(name: name, key: "decimal", values: texts.map { NSDecimalNumber(string: $0) }, needs: needs)
    }

    private static let reals = [
        AttributeSample(
            name: "MOD-16: doubles", key: "double",
            values: [
                0.1, 0, Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude, Double.infinity,
                -Double.infinity, Double.pi, 1e-300, 9_007_199_254_740_994.0,
            ] as [Double]),
        AttributeSample(name: "MOD-16: negative zeros", key: "double", values: [-0.0, 0.0], needs: .exactReals),
        AttributeSample(
            name: "MOD-16: what is no number", key: "double", values: [Double.nan, 1.5],
            needs: .exactReals),
        AttributeSample(
            name: "MOD-16: floats", key: "float",
            values: [0.1, 0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, .pi] as [Float]),
        AttributeSample(
            name: "MOD-19: dates", key: "date",
            values: [
                -3_155_760_000.25, 0, 0.123456789, 1_200_000_000.5, -978_307_200, 63_113_904_000, -63_114_076_800, 1e15,
            ].map { Date(timeIntervalSinceReferenceDate: $0) }),
    ]

    private static let texts = [
        AttributeSample(
            name: "MOD-17: texts", key: "string",
            values: [
                "", "a", "\u{0}", "a\u{0}b", "\u{0}\u{0}", "👩‍👩‍👧‍👦🇩🇪", "שלום", "漢字", "e\u{301}", "é", "\u{FFFD}",
                "\u{10FFFF}", "'\"%_\\;--", "line\r\nline\u{2028}\u{B}", " ", String(repeating: "ä", count: 100_000),
            ]),
        AttributeSample(
            name: "URIs", key: "uri",
            values: ["https://example.org/a%20b?c=d#e", "a:b", "relative/path", "file:///tmp/x"].compactMap(
                URL.init(string:))),
    ]

    /// A size in bytes greater than any chunk in which stores read, write and copy.
    private static let greatest = TestSeed.isExhaustive ? 5_000_000 : 1_250_000

    private static let bytes = [
        AttributeSample(
            name: "MOD-20: bytes", key: "data",
            values: [Data(), Data([0]), Data([0, 0, 255]), Data(0...255), random(greatest)]),
        AttributeSample(
            name: "STO-22: bytes that may be kept outside", key: "large",
            values: [0, 1, 102_400, 102_401, 1_000_000].map(random)),
    ]

    private static let others = [
        AttributeSample(name: "UUIDs", key: "uuid", values: [UUID(), UUID(), nilUUID]),
        AttributeSample(
            name: "MOD-22: archived values", key: "transformable",
            values: [
                NSArray(array: ["a", 1, Date(timeIntervalSinceReferenceDate: 1)]),
                NSDictionary(dictionary: ["k": [1, 2]]),
                NSString(string: "text"), NSNumber(value: 5),
            ] as [NSObject]),
        AttributeSample(
            name: "MOD-21: values of a transformer", key: "transformedNumbers",
            values: [[0.25, 0.5], [1.0], [-2.0, 3.0]]),
        AttributeSample(
            name: "MOD-22: values of a transformer that unarchives", key: "transformedLists",
            values: [NSArray(array: ["a", "b"]), NSArray(array: ["c"]), NSArray()] as [NSObject]),
        AttributeSample(
            name: "MOD-09: composites", key: "composite",
            values: [
                NSDictionary(dictionary: ["count": 7, "label": "größer"]), NSDictionary(dictionary: ["count": -1]),
                NSDictionary(dictionary: ["label": ""]),
            ] as [NSObject]),
    ]

    private static let nilUUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    private static func random(_ count: Int) -> Data {
        var random = SeededRandom(seed: UInt64(count))
        let words = (0..<(count + 7) / 8).map { _ in random.next() }
        return Data(words.withUnsafeBytes { Array($0) }.prefix(count))
    }
}
