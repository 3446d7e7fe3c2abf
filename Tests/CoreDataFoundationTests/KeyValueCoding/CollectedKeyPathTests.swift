import CoreDataFoundation
import Testing

/// Key paths that lead through collections: each answers in its kind.
struct CollectedKeyPathTests {
    private let song = Sample(["name": "a", "tags": NSSet(array: ["x", "y"]), "gone": nil])
    private let other = Sample(["name": "b", "tags": NSSet(array: ["y"]), "gone": nil])

    private var list: Sample {
        Sample([
            "set": NSSet(array: [Box(song), Box(other), Box(song)]),
            "ordered": NSOrderedSet(array: [Box(song), Box(other)]),
            "array": [song, other], "swiftSet": Set([Box(song), Box(other)]),
        ])
    }

    /// An element of sets.
    private final class Box: NSObject, KeyValueCoding {
        let content: Sample
        init(_ content: Sample) { self.content = content }
        func codedValue(forKey key: String) throws -> Any? { try content.codedValue(forKey: key) }
    }

    @Test("a set answers with a set, an ordered set with an ordered set, an array with an array (KVC-04)")
    func collectionsAnswerInTheirKind() throws {
        #expect(try list.codedValue(forKeyPath: "set.name") as? NSSet == NSSet(array: ["a", "b"]))
        #expect(try list.codedValue(forKeyPath: "swiftSet.name") as? NSSet == NSSet(array: ["a", "b"]))
        #expect(try list.codedValue(forKeyPath: "ordered.name") as? NSOrderedSet == NSOrderedSet(array: ["a", "b"]))
        #expect(try list.codedValue(forKeyPath: "array.name") as? [String] == ["a", "b"])
        #expect(list.value(forKeyPath: "set.name") is NSSet)
    }

    @Test("nil is not an element of a set, and a set of sets stays one (KVC-04)")
    func setsLeaveOutNil() throws {
        #expect(try list.codedValue(forKeyPath: "set.gone") as? NSSet == NSSet())
        #expect(try list.codedValue(forKeyPath: "ordered.gone") as? NSOrderedSet == NSOrderedSet())
        #expect((try list.codedValue(forKeyPath: "array.gone") as? [Any])?.count == 2)
        let tags = try #require(try list.codedValue(forKeyPath: "set.tags") as? NSSet)
        #expect(tags == NSSet(array: [NSSet(array: ["x", "y"]), NSSet(array: ["y"])]))
    }

    @Test("predicates see all elements in one list, whatever the collections are (KVC-04)")
    func predicatesSeeOneList() throws {
        #expect(try holds("set.tags CONTAINS 'x' AND set.tags.@count == 5", on: list))
        #expect(throws: UnknownKeyError.self) { try list.codedValue(forKeyPath: "set.nmae") }
    }
}
