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

    static func contains(_ value: Any?, in list: [Any?], options: NSComparisonPredicateOptions) -> Bool {
        list.contains { ValueOrder.areEqual(value, $0, options: options) }
    }

    /// The distinct values by the equality of comparisons, in the order of first occurrence.
    static func distinct(_ values: [Any]) -> [Any] {
        var seen: [Int: [Any]] = [:]
        return values.filter { value in
            let group = group(of: value)
            guard !contains(value, in: seen[group] ?? [], options: []) else { return false }
            seen[group, default: []].append(value)
            return true
        }
    }

    /// A hash value: equal values have the same.
    private static func group(of value: Any) -> Int {
        guard let value = ValueOrder.present(value) else { return 0 }
        if let number = ExactNumber(value) { return number.double.hashValue }
        switch value {
        case let text as String: return Array(text.utf8).hashValue
        case let record as any RecordReference: return record.recordIdentity.hashValue
        case let date as Date: return date.hashValue
        case let uuid as UUID: return uuid.hashValue
        case let data as Data: return data.hashValue
        case let url as URL: return Array(url.absoluteString.utf8).hashValue
        default: return 1
        }
    }

    static func isUnordered(_ list: any ElementList) -> Bool {
        list is NSSet || list is any UnorderedList
    }
}

private protocol UnorderedList {}

extension Set: UnorderedList {}
