/// Decodes predicates, expressions and sort descriptors of an archive without looking up the archived classes.
///
/// Objects of the archive may be shared or contain themselves, so depth and number of parts are bounded. Only
/// predefined functions are accepted; a selector of another name or with another receiver is refused and never looked
/// up.
package struct ArchivedPredicate {
    typealias Name = PredicateArchive.Name
    typealias Key = PredicateArchive.Key

    let archive: KeyedArchive
    private var remaining = PredicateArchive.parts

    package init(_ archive: KeyedArchive) { self.archive = archive }

    mutating func enter(_ value: PropertyList?, _ depth: Int) throws -> KeyedArchive.Object {
        remaining -= 1
        guard depth < PredicateArchive.depth else { throw PredicateArchive.tooDeep("an archived predicate") }
        guard remaining > 0 else { throw ArchiveError(.limitExceeded, "an archived predicate has too many parts") }
        guard let object = archive.object(value) else {
            throw ArchiveError(.malformed, "a part of an archived predicate is missing")
        }
        return object
    }

    /// Decodes the predicate to which a value refers.
    ///
    /// - Throws: `ArchiveError` if a part is missing, is of an unknown class, nests too deep or exceeds a limit, and
    ///   `ExpressionError` for a function that is not predefined.
    package mutating func predicate(_ value: PropertyList?, depth: Int = 0) throws -> NSPredicate {
        let object = try enter(value, depth)
        switch object.className {
        case Name.truth: return ConstantPredicate(value: true)
        case Name.falsehood: return ConstantPredicate(value: false)
        case Name.comparison: return try comparison(object, depth)
        case Name.compound: return try compound(object, depth)
        default: throw unexpected(object, "a predicate")
        }
    }

    func unexpected(_ object: KeyedArchive.Object, _ wanted: String) -> ArchiveError {
        ArchiveError(.unexpectedClass, "the archive has an object of class '\(object.className)' in place of \(wanted)")
    }

    func malformed(_ object: KeyedArchive.Object, _ key: String) -> ArchiveError {
        ArchiveError(.malformed, "the archived \(object.className) has no usable \(key)")
    }

    private mutating func compound(_ object: KeyedArchive.Object, _ depth: Int) throws -> NSPredicate {
        guard let type = archive.integer(object.fields[Key.compoundType]).flatMap(UInt.init(exactly:)),
            let kind = NSCompoundPredicate.LogicalType(rawValue: type)
        else { throw malformed(object, Key.compoundType) }
        guard let elements = archive.elements(object.fields[Key.subpredicates]) else {
            throw malformed(object, Key.subpredicates)
        }
        let parts = try elements.map { try predicate($0, depth: depth + 1) }
        guard kind != .not || parts.count == 1 else { throw malformed(object, Key.subpredicates) }
        return NSCompoundPredicate(type: kind, subpredicates: parts)
    }

    private mutating func comparison(_ object: KeyedArchive.Object, _ depth: Int) throws -> NSPredicate {
        let left = try expression(object.fields[Key.left], depth: depth + 1)
        let right = try expression(object.fields[Key.right], depth: depth + 1)
        guard let test = archive.object(object.fields[Key.comparisonOperator]) else {
            throw malformed(object, Key.comparisonOperator)
        }
        let fields = test.fields
        guard let number = archive.integer(fields[Key.operatorType]).flatMap(UInt.init(exactly:)),
            let type = NSComparisonPredicate.Operator(rawValue: number)
        else { throw malformed(test, Key.operatorType) }
        guard type != .customSelector else {
            throw ArchiveError(.unsupportedForm, "an archived comparison by a selector cannot be used here")
        }
        guard
            let modifier = UInt(exactly: archive.integer(fields[Key.modifier]) ?? 0)
                .flatMap(NSComparisonPredicate.Modifier.init(rawValue:))
        else { throw malformed(test, Key.modifier) }
        let options = archive.integer(fields[Key.flags]) ?? archive.integer(fields[Key.options]) ?? 0
        return NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: modifier, type: type,
            options: NSComparisonPredicate.Options(rawValue: UInt(truncatingIfNeeded: options) & 15))
    }

    /// Decodes the sort descriptor to which a value refers.
    ///
    /// - Throws: `ArchiveError` for an object of another class.
    mutating func sortDescriptor(_ value: PropertyList?) throws -> NSSortDescriptor {
        let object = try enter(value, 0)
        guard object.className == Name.sortDescriptor else { throw unexpected(object, "a sort descriptor") }
        let name = archive.string(object.fields[Key.sortSelector])
        return KeySortDescriptor(
            key: archive.string(object.fields[Key.sortKey]),
            ascending: archive.boolean(object.fields[Key.sortAscending]),
            comparison: name.map { SortComparison(name: $0) } ?? .standard)
    }
}
