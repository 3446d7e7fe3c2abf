import CoreData
import Testing

@testable import CoreDataKinds

@Suite("Pictures as values") struct PictureKindTests {
    /// A PNG of one pixel.
    private static let pixel =
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
        ?? Data()

    private static func kinds(_ names: [String], _ samples: [String: [Any]]) -> [String: String] {
        let entity = KindTexts.entity(names.map { KindTexts.attribute($0, .binaryDataAttributeType) })
        let found = EntityKinds(entity, EntitySamples(entity, samples))
        return Dictionary(uniqueKeysWithValues: found.uses.map { ($0.key, $0.kind) })
    }

    @Test("BRW-40: data that begins as a picture does has the kind, by its name or by many values")
    func picturesAreRecognized() {
        let found = Self.kinds(
            ["photo", "blob", "coverImage", "icon", "few"],
            [
                "photo": [Self.pixel], "blob": Array(repeating: Self.pixel, count: 5),
                "coverImage": [Data("no picture".utf8)], "few": [Self.pixel],
            ])
        // Without values the name alone suggests it, so that the first picture can be taken.
        #expect(found == ["photo": "picture", "blob": "picture", "icon": "picture"])
        let attributes = ["photo", "profilePicture", "payload"].map {
            KeyedAttribute(key: $0, description: KindTexts.attribute($0, .binaryDataAttributeType))
        }
        #expect(attributes.map { PictureKind().guessesByData(of: $0) } == [true, true, false])
    }

    @Test("BRW-40: the header is read as type, size in pixels and bytes, and other data says what is wrong")
    func headersAreRead() throws {
        #expect(try KindTexts.reading("picture", Self.pixel).text == "PNG, 1 × 1, 70 B")
        let large = Self.pixel + Data(count: 2_201_940)
        #expect(try KindTexts.reading("picture", large).text == "PNG, 1 × 1, 2.1 MB")
        let other = try KindTexts.reading("picture", Data("<svg/>".utf8))
        #expect(other.isProblem && other.problem?.contains("no picture") == true)
        #expect(throws: InspectionError.self) {
            try KindTexts.value("picture", "x", .binaryDataAttributeType)
        }
    }

    @Test(
        "MEDIA-13: a model names an attribute for a picture's thumbnail, which has no kind of its own; a wrong one is refused"
    )
    func thumbnailAttribute() throws {
        let attributes = ["photo", "photoThumbnail", "cover"].map { KindTexts.attribute($0, .binaryDataAttributeType) }
        attributes[0].userInfo = ["valueKind": "picture", "valueKind.thumbnail": "photoThumbnail"]
        let entity = KindTexts.entity(attributes + [KindTexts.attribute("name", .stringAttributeType)])
        let found = EntityKinds(entity, EntitySamples(entity, ["photoThumbnail": [Self.pixel], "cover": [Self.pixel]]))
        #expect(found.uses.map(\.key).sorted() == ["cover", "photo"])
        #expect(found.uses.first { $0.key == "photo" }?.others == ["thumbnail": "photoThumbnail"])
        for wrong in ["missing", "name", "photo"] {
            let parameters = KindParameters(kind: "picture", ["thumbnail": wrong])
            #expect(throws: InspectionError.self) {
                try PictureKind().use(
                    of: KeyedAttribute(key: "photo", description: attributes[0]), parameters, origin: .model)
            }
        }
    }
}
