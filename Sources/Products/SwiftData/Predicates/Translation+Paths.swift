import CoreDataGraph
import Foundation

extension PredicateExpressions.Variable: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm { try scope.term(of: key) }
}

extension PredicateExpressions.Value: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm { .constant(value) }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm { .constant(nil) }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let root = try scope.term(self.root)
        // A property of a captured value is the same for all models.
        if case .value(let value) = root.form, let value = value as? Root.Output {
            return .constant(value[keyPath: keyPath], text: "\(root.text)\(suffix)")
        }
        if let term = try counted(root, scope) { return term }
        if Output.self == PersistentIdentifier.self, Root.Output.self is any PersistentModel.Type {
            return PredicateTerm(root.form, type: Output.self, text: "\(root.text).persistentModelID")
        }
        if let model = Root.Output.self as? any PersistentModel.Type {
            return try property(of: model, root)
        }
        if let name = (Root.Output.self as? any TranslatableProperties.Type)?.name(of: keyPath) {
            return try root.member(name, type: Output.self, text: "\(root.text).\(name)")
        }
        if let plan = root.composite { return try element(of: plan, root) }
        throw unsupported("\(root.text)\(suffix)")
    }

    /// The end of the text of the key path. Swift says the name of a stored property only.
    private var suffix: String {
        let path = keyPath.debugDescription
        return path.contains("<computed")
            ? ".(computed \(Output.self))" : path.split(separator: ".").last.map { ".\($0)" } ?? ""
    }

    private func property(of model: any PersistentModel.Type, _ root: PredicateTerm) throws -> PredicateTerm {
        guard let property = ModelPlan.of(model).property(at: keyPath) else {
            throw unsupported("\(root.text)\(suffix)", "is not a persisted property of '\(model)'.")
        }
        var term = try root.member(property.name, type: Output.self, text: "\(root.text).\(property.name)")
        switch property.kind {
        case .composite(let plan): term.composite = plan
        case .encoded, .transformed: term.isOpaque = true
        default: break
        }
        return term
    }

    private func element(of plan: CompositePlan, _ root: PredicateTerm) throws -> PredicateTerm {
        let isRawValue = plan.shape == .rawValues && Output.self == plan.elements[0].type
        let name =
            isRawValue
            ? plan.elements[0].name
            : MemoryLayout<Root.Output>.offset(of: keyPath).flatMap { TypeShape.field(of: Root.Output.self, at: $0) }
        guard let name, let element = plan.elements.first(where: { $0.name == name }) else {
            throw unsupported("\(root.text)\(suffix)")
        }
        let text = "\(root.text).\(isRawValue ? "rawValue" : name)"
        var term = try root.member(name, type: Output.self, text: text)
        switch element.kind {
        case .composite(let plan): term.composite = plan
        case .simple: break
        default: term.isOpaque = true
        }
        return term
    }

    /// `count` and `isEmpty` of a relationship, of what `filter` returns, or of a text.
    private func counted(_ root: PredicateTerm, _ scope: PredicateScope) throws -> PredicateTerm? {
        guard let kind, kind == .collectionCount || kind == .collectionIsEmpty else { return nil }
        let text = "\(root.text)\(kind == .collectionCount ? ".count" : ".isEmpty")"
        let elements = try root.expression(scope)
        if Root.Output.self == String.self {
            // Stores count the units of UTF-16, as Apple's does.
            guard kind == .collectionIsEmpty else {
                return PredicateTerm(
                    .expression(NSExpression(.function(.length, arguments: [elements]))), type: Int.self, text: text)
            }
            return PredicateTerm(
                .condition(Condition(holding: equal(elements, NSExpression(forConstantValue: "")))), type: Bool.self,
                text: text)
        }
        let count = NSExpression(.function(.count, arguments: [elements]))
        guard kind == .collectionIsEmpty else { return PredicateTerm(.expression(count), type: Int.self, text: text) }
        return PredicateTerm(
            .condition(Condition(holding: equal(count, NSExpression(forConstantValue: 0)))), type: Bool.self, text: text
        )
    }
}
