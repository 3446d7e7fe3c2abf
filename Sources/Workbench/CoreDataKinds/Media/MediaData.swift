import CoreData
import UniformTypeIdentifiers

/// What the kinds of sounds and films share: types that are recognized by the first bytes, never by a name.
///
/// A container may hold either: what a file has is decided by its streams, where it is shown alone.
struct MediaData: Sendable {
    let supertype: UTType
    let words: Set<String>
    let problem: String

    func isNamed(_ attribute: KeyedAttribute) -> Bool { !words.isDisjoint(with: attribute.words) }

    func guesses(_ kind: some ValueKind, in entity: EntitySamples) -> [KindGuess] {
        entity.guesses(kind, GuessRule(words: words, needsName: true)) { type(of: $0) != nil }
            // A name alone may be that of a text about it.
            .filter { $0.strength != .name }
    }

    /// The type and the size.
    func reading(_ value: Any?) -> KindReading {
        let size = (value as? Data).map { "\($0.count) B" } ?? ""
        guard let type = value.flatMap(type) else { return .none(size, problem) }
        return KindReading("\(type.localizedDescription ?? type.identifier), \(size)")
    }

    /// The type of data that is one of the kind, or may be one by its container.
    private func type(of value: Any) -> UTType? {
        guard let data = value as? Data, let type = UTType(recognizing: data) else { return nil }
        return type.conforms(to: supertype) || type.conforms(to: .audiovisualContent) && type.conforms(to: .movie)
            ? type : nil
    }
}
