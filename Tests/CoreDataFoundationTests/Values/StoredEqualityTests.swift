import CoreDataFoundation
import Testing

@Suite struct StoredEqualityTests {
    private static let composed = "\u{E9}"
    private static let decomposed = "e\u{301}"

    private static nonisolated(unsafe) let different: [(Any?, Any?)] = [
        (composed, decomposed), (nil, ""), ("1", 1), ([composed], [decomposed]), ([[composed]], [[decomposed]]),
        (["a": composed], ["a": decomposed]), ([composed: 1], [decomposed: 1]), (Set([composed]), Set([decomposed])),
        (NSOrderedSet(array: [1, 2]), NSOrderedSet(array: [2, 1])), ([1, 2], [1]), ([true], [1]), ([1], [1.0]),
        ([0.0], [-0.0]), (["a": true], ["a": 1]), (["a": 1], ["b": 1]), (Data([1]), Data([2])),
        (Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 0.5)),
    ]

    @Test("values that are stored differently are not the same (OBJ-11)", arguments: different.indices)
    func differentValues(number: Int) {
        let (one, other) = Self.different[number]
        #expect(!StoredEquality.areEqual(one, other) && !StoredEquality.areEqual(other, one))
    }

    private static nonisolated(unsafe) let same: [(Any?, Any?)] = [
        (nil, nil), (composed, NSString(string: composed)), ([1, "a"] as [Any], NSArray(array: [1, "a"])),
        (["a": [1.5]], NSDictionary(dictionary: ["a": [1.5]])), (Set([1, 2]), NSSet(array: [2, 1])), ([true], [true]),
        (NSOrderedSet(array: ["a"]), NSOrderedSet(array: ["a"])), (Data([1]), NSData(data: Data([1]))),
        (URL(fileURLWithPath: "/a"), URL(fileURLWithPath: "/a")),
        (NSDecimalNumber(string: "1.50"), NSDecimalNumber(string: "1.5")),
    ]

    @Test("values of two forms that are stored alike are the same (OBJ-11)", arguments: same.indices)
    func sameValues(number: Int) {
        let (one, other) = Self.same[number]
        #expect(StoredEquality.areEqual(one, other) && StoredEquality.areEqual(other, one))
    }

    @Test("a text as a key is found by its bytes")
    func exactKeys() {
        let keys: Set = [
            ExactText(Self.composed), ExactText(Self.decomposed), ExactText(NSString(string: Self.composed) as String),
        ]
        #expect(keys.count == 2)
    }
}
