import SwiftSyntax

/// Objects below `NSObject` answer for their marked properties by Objective-C on Apple's systems; elsewhere by what the plugin writes.
extension FilePort {
    /// Notes who reads a class by key here, once its marks are behind conditions.
    mutating func noteKeyedAccess(of type: ClassDeclSyntax) {
        let name = type.name.text
        guard facts.superclasses(of: name).last == "NSObject" else { return }
        let areExposed = type.attributes.contains { $0.isNamed("objcMembers") }
        let hasMarked = type.memberBlock.members.contains { member in
            guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
            return areExposed || variable.attributes.contains { $0.isNamed("objc") }
        }
        guard hasMarked else { return }
        let isHidden = type.modifiers.contains { ["private", "fileprivate"].contains($0.name.text) }
        note(
            isHidden
                ? "predicates and expressions read the private class \(name) here if it conforms to KeyValueCoding"
                : "predicates and expressions read \(name) here if its target has CoreDataModelPlugin, or if it conforms to "
                    + "KeyValueCoding")
    }
}
