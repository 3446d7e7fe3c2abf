import SwiftSyntax

/// Reading `@objc` properties of `NSObject` subclasses by key uses Objective-C on Apple's systems; elsewhere it uses
/// code that `CoreDataModelPlugin` generates.
extension FilePort {
    /// Notes what a class with `@objc` properties needs so that predicates and expressions can read it by key.
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
