import CoreDataModeling

/// Relationships as variables.
extension SwiftModelClass {
    mutating func member(ofRelationship relationship: NSRelationshipDescription) -> Member? {
        guard let target = relationship.destinationEntity?.name, SwiftName.isIdentifier(target) else {
            lose(
                relationship, "leads to no entity that can be a class", remedy: "choose a destination in a new version",
                changesHash: !relationship.isTransient)
            return nil
        }
        if relationship.isTransient {
            lose(relationship, "is transient", remedy: "add a @Transient variable by hand")
            return nil
        }
        if relationship.isOrdered {
            lose(
                relationship, "is ordered",
                remedy: "keep the order in an attribute of the related class, and sort by it",
                changesHash: true)
        }
        if relationship.inverseRelationship === relationship {
            lose(relationship, "is its own inverse", remedy: "set both ends where one is set")
        }
        if relationship.inverseRelationship?.isTransient == true {
            lose(
                relationship, "has a transient inverse", remedy: "make the inverse persistent in a new version",
                changesHash: true)
        }
        let plain = SwiftName.escaped(target)
        let type = (relationship.isToMany ? "[\(plain)]" : plain) + (relationship.isOptional ? "?" : "")
        let isEmptyList = relationship.isToMany && !relationship.isOptional
        let macro = macro(of: relationship).map { $0 + " " } ?? ""
        return Member(
            key: relationship.name, type: type,
            line: "\(macro)var \(SwiftName.escaped(relationship.name)): \(type)" + (isEmptyList ? " = []" : ""),
            isRequired: !relationship.isToMany && !relationship.isOptional)
    }

    /// `@Relationship` with its arguments; nil where the variable alone says all.
    ///
    /// Of two inverses one side names the other. A relationship without an inverse has the macro too, since an inverse
    /// would be found for a bare one.
    private func macro(of relationship: NSRelationshipDescription) -> String? {
        var arguments: [String] = []
        switch relationship.deleteRule {
        case .cascadeDeleteRule: arguments.append("deleteRule: .cascade")
        case .denyDeleteRule: arguments.append("deleteRule: .deny")
        case .noActionDeleteRule: arguments.append("deleteRule: .noAction")
        default: break
        }
        if relationship.minCount != 0 { arguments.append("minimumModelCount: \(relationship.minCount)") }
        if relationship.isToMany, relationship.maxCount != 0 {
            arguments.append("maximumModelCount: \(relationship.maxCount)")
        }
        if let former = relationship.declaredRenamingIdentifier, former != relationship.name {
            arguments.append("originalName: \(SwiftName.literal(former))")
        }
        // The compiler refuses a key path to the variable itself. The version hash does not have such an inverse.
        let isOwnInverse = relationship.inverseRelationship === relationship
        if let inverse = relationship.inverseRelationship, !isOwnInverse, !inverse.isTransient,
            namesInverse(relationship, inverse),
            let owner = inverse.entity?.name
        {
            arguments.append("inverse: \\\(SwiftName.escaped(owner)).\(SwiftName.escaped(inverse.name))")
        }
        if let modifier = relationship.versionHashModifier {
            arguments.append("hashModifier: \(SwiftName.literal(modifier))")
        }
        if !arguments.isEmpty { return "\(names.macro("Relationship"))(\(arguments.joined(separator: ", ")))" }
        return relationship.inverseRelationship == nil || isOwnInverse ? names.macro("Relationship") : nil
    }

    /// Whether this side of two inverses names the other: the to-many side, or else the first by name.
    private func namesInverse(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) -> Bool {
        guard one.isToMany == other.isToMany else { return one.isToMany }
        return (one.entity?.name ?? "", one.name) <= (other.entity?.name ?? "", other.name)
    }
}
