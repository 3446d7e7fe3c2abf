import CoreData
import CoreDataPictures
import UniformTypeIdentifiers

/// A photograph or another picture, as data.
///
/// Its parameter `thumbnail` is the key of an attribute for a small picture of it, which the page fills: it is in step with the object where
/// the picture itself comes later, as in sync with large values on demand.
struct PictureKind: ValueKind {
    let name = "picture"
    let summary =
        "a photograph or another picture in JPEG, PNG, GIF, WebP, TIFF, BMP, HEIC or AVIF; parameter thumbnail: the key for a small one"
    let types: Set<AttributeKind> = [.binary]
    let ownParts: Set = ["thumbnail"]

    private static let words: Set = [
        "picture", "pictures", "photo", "photos", "photograph", "image", "images", "thumbnail", "portrait", "avatar",
        "icon", "artwork", "cover", "logo", "snapshot", "screenshot",
    ]
    private static let rule = GuessRule(words: words)

    func guesses(in entity: EntitySamples) -> [KindGuess] {
        entity.guesses(self, Self.rule) { ($0 as? Data).flatMap { try? PictureProperties($0) } != nil }
    }

    /// By the name, or by that of the entity, such as `data` of `Photo`.
    func guessesByData(of attribute: KeyedAttribute) -> Bool {
        let owner = attribute.description.entity?.name.map { Set(NameWords.words(of: $0)) } ?? []
        return !Self.words.isDisjoint(with: attribute.words.union(owner))
    }

    func use(
        of attribute: KeyedAttribute, _ parameters: KindParameters, origin: KindUse.Origin
    ) throws -> KindUse {
        try requireType(of: attribute)
        var use = KindUse(kind: name, key: attribute.key, origin: origin)
        guard let thumbnail = parameters["thumbnail"] else { return use }
        let found = attribute.description.entity?.attributesByName[thumbnail]
        guard let found, AttributeKind(found) == .binary, thumbnail != attribute.key else {
            throw InspectionError(
                .badValue, subject: attribute.key, cause: "'\(thumbnail)' is no other attribute of data of the entity",
                hint: "name an attribute of type Binary Data for the thumbnail")
        }
        use.others["thumbnail"] = thumbnail
        return use
    }

    /// What the header says; nothing is decoded.
    func reading(_ values: KindValues, _ use: KindUse) -> KindReading {
        guard let data = values[use.key] as? Data else { return .none("", "it is no data") }
        let size = Self.size(data.count)
        do {
            let found = try PictureProperties(data)
            let type = found.type.localizedDescription ?? found.type.preferredFilenameExtension ?? ""
            return KindReading(
                "\(Self.name(of: found.type) ?? type), \(found.size.width) × \(found.size.height), \(size)")
        } catch let error as PictureFileError {
            return .none(size, error.reason)
        } catch {
            return .none(size, "it is no picture")
        }
    }

    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any? {
        throw refused(
            attribute, "a picture cannot be entered as a text",
            hint: "choose a file on the page, or give one to 'coredata set' as KEY=@FILE")
    }

    /// The name of a format as people say it.
    private static func name(of type: UTType) -> String? {
        let names: [UTType: String] = [
            .jpeg: "JPEG", .png: "PNG", .gif: "GIF", .webP: "WebP", .tiff: "TIFF", .bmp: "BMP", .heic: "HEIC",
            .heif: "HEIF", .avif: "AVIF",
        ]
        return names[type]
    }

    /// Bytes, kB or MB of 1,024, as the page writes them.
    private static func size(_ count: Int) -> String {
        func text(_ size: Double) -> String { size.formatted(.number.precision(.fractionLength(0...1)).locale(plain)) }
        return switch count {
        case ..<1_024: "\(count) B"
        case ..<1_048_576: "\(text(Double(count) / 1_024)) kB"
        default: "\(text(Double(count) / 1_048_576)) MB"
        }
    }

    private static let plain = Locale(identifier: "en_US_POSIX")
}
