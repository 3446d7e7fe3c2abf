import SwiftSyntax

/// An `@objc` protocol is limited to classes; without `@objc` it must inherit from `AnyObject`.
extension FilePort {
    mutating func bindToClasses(_ declaration: ProtocolDeclSyntax) {
        for member in declaration.memberBlock.members { checkOptional(member.decl) }
        guard declaration.attributes.contains(where: ObjectiveCAttributeRule.applies) else { return }
        guard let clause = declaration.inheritanceClause else {
            let place = declaration.name.bytes.upperBound
            return edit(place..<place, ": AnyObject")
        }
        let inherited = clause.inheritedTypes.map { $0.type.trimmedDescription }
        // An inherited protocol may already be limited to classes; a second `AnyObject` does no harm.
        guard !inherited.contains(where: { ["AnyObject", "class", "NSObjectProtocol"].contains($0) }) else { return }
        let place = clause.inheritedTypes.bytes.lowerBound
        edit(place..<place, "AnyObject, ")
    }

    private mutating func checkOptional(_ declaration: DeclSyntax) {
        guard let modifiers = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers,
            let optional = modifiers.first(where: { $0.name.tokenKind == .keyword(.optional) })
        else { return }
        report(
            optional,
            "an optional requirement needs Objective-C: give the member a default in an extension of the protocol, and "
                + "call it without '?'")
    }
}
