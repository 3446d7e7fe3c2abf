/// Adds predicates to an archive with Apple's class names, in the form that `ArchivedPredicate` reads.
extension ArchiveBuilder {
    private typealias Name = PredicateArchive.Name
    private typealias Key = PredicateArchive.Key

    /// Adds a predicate, also one of Foundation's own classes, and returns a reference to it.
    ///
    /// - Throws: `ArchiveError` `.unsupportedForm` for blocks in Swift and predicates of other classes,
    ///   `.unexpectedClass` for constants that cannot be archived, `.limitExceeded` for too deep a nesting.
    package mutating func predicate(_ predicate: NSPredicate, depth: Int = 0) throws -> PropertyList {
        guard depth < PredicateArchive.depth else { throw PredicateArchive.tooDeep("a predicate") }
        switch PredicateNode(predicate) {
        case .constant(let value): return add(value ? Name.truth : Name.falsehood, [:])
        case .not(let part): return try compound(.not, parts: [part], depth: depth)
        case .and(let parts): return try compound(.and, parts: parts, depth: depth)
        case .or(let parts): return try compound(.or, parts: parts, depth: depth)
        case .comparison(let comparison): return try self.comparison(comparison, depth)
        case .opaque(let other):
            let kind = type(of: other) == NSPredicate.self ? "a block in Swift" : "of class \(type(of: other))"
            throw ArchiveError(.unsupportedForm, "a predicate that is \(kind) cannot be archived")
        }
    }

    private mutating func compound(
        _ type: NSCompoundPredicate.LogicalType, parts: [PredicateNode], depth: Int
    ) throws -> PropertyList {
        let predicates = try parts.map { try predicate($0.predicate, depth: depth + 1) }
        return add(
            Name.compound,
            [
                Key.compoundType: .integer(Int64(type.rawValue)),
                Key.subpredicates: collection("NSArray", predicates),
            ])
    }

    private mutating func comparison(_ comparison: NSComparisonPredicate, _ depth: Int) throws -> PropertyList {
        let left = try expression(comparison.leftExpression, depth: depth + 1)
        let right = try expression(comparison.rightExpression, depth: depth + 1)
        return add(
            Name.comparison,
            [Key.left: left, Key.right: right, Key.comparisonOperator: comparisonOperator(comparison)])
    }

    private mutating func comparisonOperator(_ comparison: NSComparisonPredicate) -> PropertyList {
        let type = comparison.predicateOperatorType
        let options = PropertyList.integer(Int64(comparison.options.rawValue))
        var fields: [String: PropertyList] = [
            Key.operatorType: .integer(Int64(type.rawValue)),
            Key.modifier: .integer(Int64(comparison.comparisonPredicateModifier.rawValue)),
        ]
        switch type {
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            fields["NSVariant"] = .integer(Int64(type.rawValue))
            fields[Key.options] = options
        case .equalTo, .notEqualTo:
            fields["NSNegate"] = .boolean(type == .notEqualTo)
            fields[Key.options] = options
        case .between: break
        case .beginsWith, .endsWith:
            fields["NSSubstringPosition"] = .integer(type == .endsWith ? 1 : 0)
            fields[Key.flags] = options
        case .matches, .like, .in, .contains, .customSelector: fields[Key.flags] = options
        }
        return add(PredicateArchive.operatorClass(of: type), fields)
    }
}
