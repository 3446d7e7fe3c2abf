import Foundation
import Testing
import UniformTypeIdentifiers

@Suite("Types and their names")
struct TypeTests {
    @Test(
        "MSG-06: extension, media type and identifier of one row lead to each other",
        arguments: [
            ("jpg", "image/jpeg", "public.jpeg"), ("png", "image/png", "public.png"),
            ("m4a", "audio/mp4", "com.apple.m4a-audio"),
            ("gpx", "application/gpx+xml", "com.topografix.gpx"), ("mp4", "video/mp4", "public.mpeg-4"),
            ("weba", "audio/webm", "org.webmproject.webm-audio"), ("vcf", "text/vcard", "public.vcard"),
            ("ics", "text/calendar", "com.apple.ical.ics"), ("eml", "message/rfc822", "com.apple.mail.email"),
            ("html", "text/html", "public.html"), ("txt", "text/plain", "public.plain-text"),
            ("json", "application/json", "public.json"), ("csv", "text/csv", "public.comma-separated-values-text"),
            ("heic", "image/heic", "public.heic"), ("zip", "application/zip", "public.zip-archive"),
        ])
    func rowsAreFoundByEachName(filenameExtension: String, mimeType: String, identifier: String) throws {
        let type = try #require(UTType(identifier))
        #expect(UTType(filenameExtension: filenameExtension) == type)
        #expect(UTType(filenameExtension: filenameExtension.uppercased()) == type)
        #expect(UTType(mimeType: mimeType) == type)
        #expect(UTType(mimeType: mimeType + "; charset=utf-8") == type)
        #expect(type.preferredMIMEType == mimeType)
        #expect(type.tags[.filenameExtension]?.contains(filenameExtension) == true)
        #expect(type.isDeclared && !type.isDynamic)
    }

    @Test("MSG-06: every row of the table has parents that exist, and is found by its preferred names")
    func tableIsWhole() {
        let types = UTType.declaredTypes
        #expect(types.count > 120)
        for type in types {
            for parent in type.supertypes { #expect(parent.isDeclared, "\(type) conforms to \(parent)") }
            #expect(type.localizedDescription?.isEmpty != true)
            for (tagClass, tags) in type.tags {
                #expect(Set(tags).count == tags.count, "\(type) has a tag twice")
                for tag in tags {
                    #expect(
                        UTType.types(tag: tag, tagClass: tagClass, conformingTo: nil).contains(type),
                        "\(type) by \(tag)")
                }
            }
        }
    }

    @Test("MSG-06: older media types lead to the same type, whose preferred one is the registered")
    func oldMediaTypesAreUnderstood() {
        #expect(UTType(mimeType: "audio/x-m4a") == .m4a)
        #expect(UTType(mimeType: "text/xml") == .xml)
        #expect(UTType(mimeType: "image/jpg")?.preferredMIMEType == "image/jpeg")
        #expect(UTType(mimeType: "Text/X-VCard") == .vCard)
    }

    @Test("MSG-06: a type conforms to itself and to all above it")
    func conformance() {
        #expect(UTType.jpeg.conforms(to: .image) && UTType.jpeg.conforms(to: .data) && UTType.jpeg.conforms(to: .jpeg))
        #expect(
            UTType.jpeg.isSubtype(of: .image) && !UTType.jpeg.isSubtype(of: .jpeg) && UTType.image.isSupertype(of: .png)
        )
        #expect(UTType.svg.supertypes.isSuperset(of: [.image, .xml, .text, .data, .content, .item]))
        #expect(!UTType.plainText.conforms(to: .image))
        #expect(UTType.vCard.conforms(to: .contact) && UTType.calendar.conforms(to: .calendarEvent))
        #expect(UTType.m4a.conforms(to: .mpeg4Audio) && UTType.m4a.conforms(to: .audio))
    }

    @Test("MSG-06: an extension that no type has gives a dynamic type as Apple writes it, which keeps the tag")
    func unknownExtensionsAreDynamic() throws {
        // Apple's identifier for data with the extension "txt" as its documentation of such identifiers leads to it.
        let type = try #require(UTType(filenameExtension: "opencd-odd"))
        #expect(type.isDynamic && !type.isDeclared && type.identifier.hasPrefix("dyn.ah62d4rv4ge8"))
        #expect(type.preferredFilenameExtension == "opencd-odd" && type.preferredMIMEType == nil)
        #expect(type.conforms(to: .data) && !type.conforms(to: .text))
        #expect(UTType(type.identifier) == type)
        let picture = try #require(UTType(filenameExtension: "a,b:c=d", conformingTo: .image))
        #expect(picture.preferredFilenameExtension == "a,b:c=d" && picture.conforms(to: .image))
        // A text file cannot be a picture by its extension.
        #expect(UTType(filenameExtension: "txt", conformingTo: .image)?.isDynamic == true)
        let odd = try #require(UTType(mimeType: "application/x-odd"))
        #expect(odd.isDynamic && odd.preferredMIMEType == "application/x-odd")
    }

    @Test(
        "MSG-06: malformed extensions give nil",
        arguments: ["", ".", "a/b", "a b", "a\nb", String(repeating: "x", count: 200)])
    func badExtensionsAreRefused(filenameExtension: String) {
        #expect(UTType(filenameExtension: filenameExtension) == nil)
    }

    @Test(
        "MSG-06: malformed identifiers and media types give nil",
        arguments: ["", "image", "image/", "/png", "a/b/c", "dyn.a", "dyn.a!!!", "dyn.ah62", "no.such.type"])
    func badIdentifiersAreRefused(text: String) {
        #expect(UTType(text) == nil)
        if !text.contains(".") { #expect(UTType(mimeType: text) == nil) }
    }

    @Test("MSG-06: a type is stored as its identifier, and case does not part two")
    func coding() throws {
        let data = try JSONEncoder().encode([UTType.jpeg, .gpx])
        #expect(String(decoding: data, as: UTF8.self) == #"["public.jpeg","com.topografix.gpx"]"#)
        #expect(try JSONDecoder().decode([UTType].self, from: data) == [.jpeg, .gpx])
        #expect(UTType("PUBLIC.JPEG") == .jpeg)
        #expect(Set([UTType.jpeg, UTType("Public.Jpeg")]).count == 1)
    }
}
