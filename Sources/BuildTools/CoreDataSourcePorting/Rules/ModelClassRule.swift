import SwiftSyntax

/// Model classes that need a module of Apple's are missing on other systems, with their entities.
extension FilePort {
    /// Reports the classes with `@Model` in a part that goes behind a condition, with the name for which it goes.
    mutating func reportModels(in part: Syntax, _ modules: Set<String>, except others: Set<String> = []) {
        var waiting = [part]
        while let node = waiting.popLast() {
            if let model = node.as(ClassDeclSyntax.self), model.isModel, !others.contains(model.name.text) {
                report(
                    model.name,
                    "the model class \(model.name.text) needs \(modules.sorted().joined(separator: ", "))"
                        + (Self.neededName(in: model, modules).map { " for '\($0)'" } ?? "")
                        + ", and is missing elsewhere: keep a Codable value in it, and make the other where it is shown"
                )
            }
            waiting += node.children(viewMode: .sourceAccurate)
        }
    }

    /// Reports the classes with `@Model` behind conditions that are false on other systems, and declared nowhere else.
    mutating func reportHiddenModels() {
        var present: Set<String> = []
        SyntaxWalk.visit(tree) { node, _ in
            if let model = node.as(ClassDeclSyntax.self) { present.insert(model.name.text) }
            return true
        }
        var hidden: [(part: Syntax, modules: Set<String>)] = []
        SyntaxWalk.visitAll(tree) { node in
            guard let clause = node.as(IfConfigClauseSyntax.self), let condition = clause.condition,
                PlatformConditions.value(of: condition) == false, let elements = clause.elements
            else { return }
            var modules: Set<String> = []
            SyntaxWalk.visitAll(condition) { node in
                if let name = node.as(DeclReferenceExprSyntax.self)?.baseName.text, AppleModules.contains(name) {
                    modules.insert(name)
                }
            }
            if !modules.isEmpty, modules != ["ObjectiveC"] { hidden.append((Syntax(elements), modules)) }
        }
        for (part, modules) in hidden { reportModels(in: part, modules, except: present) }
    }

    /// The first name of a module in the stored variables of a class.
    private static func neededName(in model: ClassDeclSyntax, _ modules: Set<String>) -> String? {
        let variables = model.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
        return variables.filter(\.isStoredInObject).lazy.flatMap { $0.tokens(viewMode: .sourceAccurate) }
            .first { AppleModules.owner(of: $0.text, among: modules) != nil }?.text
    }
}
