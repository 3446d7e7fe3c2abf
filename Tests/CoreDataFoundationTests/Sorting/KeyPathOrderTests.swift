import CoreDataFoundation
import Testing

/// An object whose key paths have names, with properties that do not say how their values compare.
private final class Row: KeyValueCoding, KeyPathNaming {
    let isDone: Bool
    let title: String?

    init(_ isDone: Bool, _ title: String?) { (self.isDone, self.title) = (isDone, title) }

    static func key(of keyPath: AnyKeyPath) -> String? { keyPath == \Row.isDone ? "isDone" : nil }
    func codedValue(forKey key: String) throws -> Any? { key == "isDone" ? isDone : title }
    func value(forKey key: String) -> Any? { key == "isDone" ? isDone : title }
    var codedKeys: [String] { ["isDone", "title"] }
}

@Suite struct KeyPathOrderTests {
    private func descriptor<Value>(_ keyPath: KeyPath<Row, Value>, ascending: Bool = true) -> NSSortDescriptor {
        NSSortDescriptor(keyPath: keyPath, ascending: ascending)
    }

    @Test("a key path to a value of any type sorts as its key does: false first, nil first")
    func keyPathToValueOfAnyTypeSortsAsItsKey() {
        let rows = [Row(true, "b"), Row(false, nil), Row(true, "a")]
        let byMark = rows.sorted { descriptor(\.isDone).compare($0, to: $1) == .orderedAscending }
        #expect(byMark.map(\.isDone) == [false, true, true])
        let byTitle = rows.sorted { descriptor(\.title).compare($0, to: $1) == .orderedAscending }
        #expect(byTitle.map(\.title) == [nil, "a", "b"])
        #expect(
            NSSortDescriptor(keyPath: \Row.isDone, ascending: false).compare(rows[0], to: rows[1]) == .orderedAscending)
        #expect(descriptor(\.isDone).sorting.comparison.name == "compare:")
    }

    @Test("the standard library's name for a key path's key gives the property's") func keyPathString() {
        let generic: AnyKeyPath = \Row.isDone
        #expect((\Row.isDone)._kvcKeyPathString == "isDone" && generic._kvcKeyPathString == "isDone")
        #expect((\Row.title)._kvcKeyPathString == nil && (\String.count)._kvcKeyPathString == nil)
    }
}
