/// Collections of values compared by what they contain.
enum ValueList {
    /// Lists are equal element by element, sets by membership, dictionaries by keys and values.
    static func areEqual(_ left: any ElementList, _ right: any ElementList) -> Bool {
        guard left.elementCount == right.elementCount else { return false }
        if isDictionary(left) || isDictionary(right) {
            guard let left = left as? AnyHashable, let right = right as? AnyHashable else { return false }
            return left == right
        }
        let (leftList, rightList) = (left.elementList, right.elementList)
        if isUnordered(left) || isUnordered(right) {
            return leftList.allSatisfy { contains($0, in: rightList, options: []) }
        }
        return zip(leftList, rightList).allSatisfy { ValueOrder.areEqual($0, $1) }
    }

    static func contains(_ value: Any?, in list: [Any?], options: NSComparisonPredicate.Options) -> Bool {
        list.contains { ValueOrder.areEqual(value, $0, options: options) }
    }

    /// The values without repetitions, in the order of first occurrence.
    static func distinct(_ values: [Any]) -> [Any] {
        var seen: Set<AnyHashable> = []
        var unhashable: [Any] = []
        return values.filter { value in
            if let key = value as? AnyHashable { return seen.insert(key).inserted }
            guard !contains(value, in: unhashable, options: []) else { return false }
            unhashable.append(value)
            return true
        }
    }

    private static func isUnordered(_ list: any ElementList) -> Bool {
        list is NSSet || list is any UnorderedList
    }
}

private protocol UnorderedList {}

extension Set: UnorderedList {}
