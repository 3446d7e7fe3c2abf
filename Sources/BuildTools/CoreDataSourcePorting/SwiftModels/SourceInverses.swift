/// The inverses of the relationships of some classes, by the rules of `Schema`: a key path on one side holds for both, and
/// two relationships without `@Relationship` are inverses if each is the only one of its kind.
struct SourceInverses {
    private struct Key: Hashable {
        let entity: String
        let name: String
    }

    private let classes: [String: ModelClass]
    private var inverses: [Key: String] = [:]
    /// Relationships that name an inverse which is none.
    private(set) var unmatched: [(model: ModelClass, variable: ModelClass.Variable)] = []

    init(_ classes: [ModelClass]) {
        self.classes = Dictionary(classes.map { ($0.name, $0) }) { first, _ in first }
    }

    func inverse(of name: String, in entity: String) -> String? { inverses[Key(entity: entity, name: name)] }

    mutating func resolve() {
        let sorted = classes.values.sorted { $0.name < $1.name }
        for model in sorted {
            for variable in relationships(of: model) {
                guard let name = variable.annotation?.inverse else { continue }
                guard let other = target(of: variable),
                    let inverse = relationships(of: other).first(where: { $0.name == name }),
                    inverse.type.kind.target == model.path
                else {
                    unmatched.append((model, variable))
                    continue
                }
                inverses[Key(entity: model.name, name: variable.name)] = name
                if inverse.annotation?.inverse == nil { inverses[Key(entity: other.name, name: name)] = variable.name }
            }
        }
        for model in sorted { infer(model) }
    }

    private mutating func infer(_ model: ModelClass) {
        for variable in relationships(of: model)
        where variable.annotation == nil && inverse(of: variable.name, in: model.name) == nil {
            guard let other = target(of: variable), other.path != model.path, bare(of: model, to: other).count == 1
            else { continue }
            let candidates = bare(of: other, to: model)
            guard candidates.count == 1, inverse(of: candidates[0].name, in: other.name) == nil else { continue }
            inverses[Key(entity: model.name, name: variable.name)] = candidates[0].name
            inverses[Key(entity: other.name, name: candidates[0].name)] = variable.name
        }
    }

    private func relationships(of model: ModelClass) -> [ModelClass.Variable] {
        model.variables.filter { $0.type.kind.target != nil }
    }

    private func bare(of model: ModelClass, to other: ModelClass) -> [ModelClass.Variable] {
        relationships(of: model).filter { $0.annotation == nil && $0.type.kind.target == other.path }
    }

    private func target(of variable: ModelClass.Variable) -> ModelClass? {
        variable.type.kind.target.flatMap { path in classes[path.last ?? ""].flatMap { $0.path == path ? $0 : nil } }
    }
}
