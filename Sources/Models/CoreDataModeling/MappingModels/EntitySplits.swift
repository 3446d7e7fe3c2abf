import CoreDataFoundation

/// Guesses of which old entity's objects a new entity's could be made.
///
/// | the new entity | the old one |
/// |---|---|
/// | has the renaming identifier of one that another new entity is, too | that one |
/// | has the attributes of one that is gone, or at least two of them and mostly such | that one |
/// | has so the attributes that one loses which stays | that one |
struct EntitySplits {
    private let matching: ModelMatching

    init(_ matching: ModelMatching) { self.matching = matching }

    /// The old entity, and why; nil where nothing speaks for any. Of several the one with most attributes in common.
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

    /// A single attribute that many entities have, such as a name, is not evidence.
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
