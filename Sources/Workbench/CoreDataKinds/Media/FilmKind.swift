import CoreData
import UniformTypeIdentifiers

/// Data that is a film, by its first bytes.
struct FilmKind: ValueKind {
    let name = "film"
    let summary = "a film, which is played and recorded"
    let types: Set<AttributeKind> = [.binary]

    private static let media = MediaData(
        supertype: .movie, words: ["film", "movie", "video", "clip"], problem: "it is no film")

    func guessesByData(of attribute: KeyedAttribute) -> Bool { Self.media.isNamed(attribute) }
    func guesses(in entity: EntitySamples) -> [KindGuess] { Self.media.guesses(self, in: entity) }
    func reading(_ values: KindValues, _ use: KindUse) -> KindReading { Self.media.reading(values[use.key]) }

    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any? {
        throw refused(attribute, "a film is not entered as a text", hint: "record it, or choose a file")
    }
}
