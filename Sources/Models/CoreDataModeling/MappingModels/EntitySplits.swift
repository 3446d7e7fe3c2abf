import CoreDataFoundation

/// Guesses for a new entity from which old entity's objects its objects could be made.
///
/// | the new entity | the old one |
/// |---|---|
/// | has the renaming identifier of an old entity that already matches another new entity | that old entity |
/// | has the attributes of a removed entity, or at least two of them and half of its own | the removed entity |
/// | likewise has attributes that a remaining entity loses | the remaining entity |
struct EntitySplits {
    private let matching: ModelMatching

    init(_ matching: ModelMatching) { self.matching = matching }

    /// The old entity and the reason; nil if there is no evidence. Of several, the one with the most attributes in
    /// common.
    func origin(of added: NSEntityDescription) -> (old: NSEntityDescription, finding: MigrationAnalysis.Finding)? {
        guard !added.isAbstract else { return nil }
        if let old = claimed(by: added) {
            return finding(added, old: old, reason: "it has the renaming identifier of '\(old.name ?? "")'")
        }
        let removed = matching.removed.map { (entity: $0, attributes: attributes(of: $0), isGone: true) }
        let kept = matching.entities.map {
            (entity: $0.old, attributes: attributes(of: $0.old).subtracting(attributes(of: $0.new)), isGone: false)
        }
        let own = attributes(of: added)
        let candidates = (removed + kept).filter { !$0.entity.isAbstract && Self.isLike(own, $0.attributes) }
        let best = candidates.max {
            own.intersection($0.attributes).count < own.intersection($1.attributes).count
        }
        guard let best, let name = best.entity.name else { return nil }
        let shared = own.intersection(best.attributes).map(\.name).sorted().joined(separator: ", ")
        return finding(
            added, old: best.entity,
            reason: best.isGone
                ? "'\(name)' is gone, and this has its \(shared)" : "'\(name)' loses \(shared), which this has")
    }

    private struct Attribute: Hashable {
        let name: String
        let type: NSAttributeType
    }

    private func attributes(of entity: NSEntityDescription) -> Set<Attribute> {
        Set(
            entity.attributesByName.values.filter { $0.isStored && !($0 is NSDerivedAttributeDescription) }
                .map { Attribute(name: $0.name, type: $0.attributeType) })
    }

    /// A single common attribute, such as a name, is not evidence, unless it is the only one of both.
    private static func isLike(_ own: Set<Attribute>, _ other: Set<Attribute>) -> Bool {
        let shared = own.intersection(other).count
        return shared > 0 && own == other || shared >= 2 && shared * 2 >= own.count
    }

    private func claimed(by added: NSEntityDescription) -> NSEntityDescription? {
        guard let identifier = added.declaredRenamingIdentifier else { return nil }
        return matching.entities.map(\.old).first {
            !$0.isAbstract && ($0.declaredRenamingIdentifier == identifier || $0.name == identifier)
        }
    }

    private func finding(
        _ added: NSEntityDescription, old: NSEntityDescription, reason: String
    ) -> (old: NSEntityDescription, finding: MigrationAnalysis.Finding) {
        (old, MigrationAnalysis.Finding(item: ModelItem(added), reason: reason, hint: nil))
    }
}
