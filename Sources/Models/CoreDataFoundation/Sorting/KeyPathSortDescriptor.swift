/// A sort descriptor with a Swift key path to an optional value, which Foundation's initializers do not accept.
package final class KeyPathSortDescriptor<Root, Value: Comparable>: NSSortDescriptor, OrderedByValue {
    private let path: KeyPath<Root, Value?>

    init(path: KeyPath<Root, Value?>, ascending: Bool) {
        self.path = path
        super.init(keyPath: path, ascending: ascending) { left, right in
            Self.order(flattened(left) as? Value, flattened(right) as? Value)
        }
    }

    package override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        guard let left = object1 as? Root, let right = object2 as? Root else {
            stop("a sort descriptor for \(Root.self) was handed \(type(of: object1)) and \(type(of: object2))")
        }
        let order = Self.order(left[keyPath: path], right[keyPath: path])
        return ascending ? order : order.reversed
    }

    package override var reversedSortDescriptor: Any {
        KeyPathSortDescriptor(path: path, ascending: !ascending)
    }

    private static func order(_ left: Value?, _ right: Value?) -> ComparisonResult {
        guard let left else { return right == nil ? .orderedSame : .orderedAscending }
        guard let right else { return .orderedDescending }
        return left < right ? .orderedAscending : right < left ? .orderedDescending : .orderedSame
    }
}

/// A descriptor with a Swift key path that compares by the values' own order, so that a store can sort by it.
protocol OrderedByValue {}
