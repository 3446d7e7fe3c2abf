/// The kinds that there are.
package enum KindRegistry {
    /// All kinds; of two guesses that are equally likely, the kind that stands first is taken.
    package static let all: [any ValueKind] = [
        PlaceKind(), PostalAddressKind(), TrackKind(), WebAddressKind(), MailAddressKind(), TelephoneKind(),
        ColorKind(), DurationKind(), MoneyKind(), PercentageKind(), JSONTextKind(), MarkdownKind(),
        PictureKind(), CodeKind(), SoundKind(), FilmKind(),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The kind of a name.
    package static func kind(_ name: String) -> (any ValueKind)? { byName[name] }

    /// The key paths of the attributes that have no other kind because of a use.
    static func ownKeys(of use: KindUse) -> [String] {
        [use.key] + (kind(use.kind)?.ownParts ?? []).compactMap { use.others[$0] }
    }
}
