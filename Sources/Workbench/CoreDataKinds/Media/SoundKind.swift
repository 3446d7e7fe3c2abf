import CoreData
import UniformTypeIdentifiers

/// Data that is a sound, by its first bytes.
struct SoundKind: ValueKind {
    let name = "sound"
    let summary = "a sound, which is played and recorded"
    let types: Set<AttributeKind> = [.binary]

    private static let media = MediaData(
        supertype: .audio, words: ["sound", "audio", "song", "voice", "recording", "music", "memo"],
        problem: "it is no sound")

    func guessesByData(of attribute: KeyedAttribute) -> Bool { Self.media.isNamed(attribute) }
    func guesses(in entity: EntitySamples) -> [KindGuess] { Self.media.guesses(self, in: entity) }
    func reading(_ values: KindValues, _ use: KindUse) -> KindReading { Self.media.reading(values[use.key]) }

    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any? {
        throw refused(attribute, "a sound is not entered as a text", hint: "record it, or choose a file")
    }
}
