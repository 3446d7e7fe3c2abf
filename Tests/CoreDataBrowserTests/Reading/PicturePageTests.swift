import CoreData
import CoreDataBrowser
import ProgramKit
import StoreContract
import TestBasics
import Testing

/// The programs that make the pictures of these tests.
private enum PicturePrograms {
    static let vips = HelperProgram("vips", package: "libvips-tools")
    static let exiftool = HelperProgram("exiftool", package: "libimage-exiftool-perl")
    static let arePossible = vips.url != nil && exiftool.url != nil
}

@Suite(
    "Pictures in the browser", .serialized,
    .enabled(if: PicturePrograms.arePossible, "libvips-tools and libimage-exiftool-perl are not both installed"))
struct PicturePageTests {
    private let folder: TemporaryFolder
    private let stack: Stack
    private let tab: EditingTab

    /// Five pictures: a JPEG with a place, a HEIC, a huge PNG, half a JPEG, and a document.
    init() throws {
        folder = try TemporaryFolder()
        let builder = ModelBuilder()
        builder.entity("Shot", ["name": .stringAttributeType, "photo": .binaryDataAttributeType])
        builder.attribute("Shot.photo").allowsExternalBinaryDataStorage = true
        stack = try Stack(builder.model)
        let jpeg = try Self.make("a.jpg", in: folder.url)
        let output = try PicturePrograms.exiftool.run([
            "-q", "-overwrite_original", "-Make=Canon", "-Model=EOS 80D", "-DateTimeOriginal=2019:05:04 10:11:12",
            "-OffsetTimeOriginal=+00:00", "-GPSLatitude=48.1", "-GPSLatitudeRef=N", "-GPSLongitude=11.5",
            "-GPSLongitudeRef=E", folder.url.appendingPathComponent("a.jpg").path,
        ])
        try #require(output.status == 0, "\(output.standardError)")
        let tagged = try Data(contentsOf: folder.url.appendingPathComponent("a.jpg"))
        let values = [
            ("a", tagged), ("b", try Self.make("b.heic", in: folder.url)),
            ("c", try Self.make("c.png[compression=9,bitdepth=1]", "30000", "30000", in: folder.url)),
            ("d", jpeg.prefix(jpeg.count / 2)), ("e", Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)),
        ]
        for (name, data) in values { stack.context.insert("Shot", ["name": name, "photo": data]) }
        try stack.context.save()
        tab = EditingTab(stack)
    }

    private static func make(_ name: String, _ width: String = "300", _ height: String = "200", in folder: URL) throws
        -> Data
    {
        let output = try PicturePrograms.vips.run(
            ["black", folder.appendingPathComponent(name).path, width, height], folder: folder)
        try #require(output.status == 0, "\(output.standardError)")
        let plain = name.prefix { $0 != "[" }
        return try Data(contentsOf: folder.appendingPathComponent(String(plain)))
    }

    private func names() throws -> [String] {
        try stack.context.all("Shot", sortedBy: "name").map(\.objectID.shortText)
    }

    private func response(_ path: String) async -> BrowserResponse {
        await BrowserAnswers(tab.browser).response(tab.browser.named("/stores/1/objects/\(path)"))
    }

    @Test("BRW-40, MEDIA-13: a thumbnail is a JPEG that runs nothing, and failures say why")
    func thumbnailsAreAnswered() async throws {
        let ids = try names()
        for id in ids.prefix(2) {
            let response = await response("\(id)/values/photo/thumbnail?size=100")
            #expect(response.status == 200 && response.headers["Content-Type"] == "image/jpeg", "\(id)")
            #expect(response.headers["Content-Security-Policy"]?.hasPrefix("sandbox; default-src 'none'") == true)
            let bytes = try await response.body.bytes(limit: 1 << 20)
            #expect(bytes.starts(with: [0xFF, 0xD8, 0xFF]) && bytes.count < 5_000)
        }
        for (id, part) in [(ids[2], "30000 × 30000"), (ids[3], "damaged"), (ids[4], "known type")] {
            let reply = try await tab.ask("GET", "objects/\(id)/values/photo/thumbnail", status: 422)
            #expect(reply["error"]["reason"].text?.contains(part) == true, "\(reply)")
        }
        _ = try await tab.ask("GET", "objects/\(ids[0])/values/name/thumbnail", status: 422)
        _ = try await tab.ask("GET", "objects/\(ids[0])/values/none/thumbnail", status: 422)
        _ = try await tab.ask("GET", "objects/Shot/p99/values/photo/thumbnail", status: 404)
        _ = try await tab.ask("GET", "objects/\(ids[0])/values/photo/thumbnail?size=0", status: 400)
    }

    @Test("MEDIA-14: size, time, camera and place of a picture are answered")
    func detailsAreAnswered() async throws {
        let ids = try names()
        let reply = try await tab.ask("GET", "objects/\(ids[0])/values/photo/picture")
        #expect(reply["type"].text == "image/jpeg" && reply["width"].number == 300 && reply["height"].number == 200)
        #expect(reply["camera"].text == "Canon EOS 80D" && reply["instant"].text == "2019-05-04T10:11:12Z")
        #expect(reply["taken"].text?.count == 19, "\(reply["taken"])")
        #expect(reply["place"][0].number == 48)
        let object = try await tab.ask("GET", "objects/\(ids[0])")
        #expect(object["kinds"][0]["kind"].text == "picture")
        #expect(object["kinds"][0]["reading"]["text"].text?.hasPrefix("JPEG, 300 × 200") == true)
        _ = try await tab.ask("GET", "objects/\(ids[4])/values/photo/picture", status: 422)
    }

    @Test("CAM-01: a staged picture has the thumbnail of what is staged, and the saved one stays for others")
    func stagedPicturesHaveThumbnails() async throws {
        let id = try names()[4]
        let bytes = try Data(contentsOf: folder.url.appendingPathComponent("a.jpg")).base64EncodedString()
        _ = try await tab.ask("GET", "objects/\(id)/values/photo/thumbnail", status: 422)
        try await tab.stage(#"{"do": "set", "object": "\#(id)", "key": "photo", "value": "\#(bytes)"}"#)
        _ = try await tab.ask("GET", "objects/\(id)/values/photo/thumbnail", status: 200)
        let other = EditingTab(tab.browser, "tab2", user: "ida")
        _ = try await other.ask("GET", "objects/\(id)/values/photo/thumbnail", status: 422)
    }

    @Test("CAM-01: a photograph of many megabytes is staged as it was taken")
    func largePhotographsAreStaged() async throws {
        let id = try names()[0]
        let jpeg = try Data(contentsOf: folder.url.appendingPathComponent("a.jpg")) + Data(count: 9_000_000)
        let bytes = jpeg.base64EncodedString()
        try await tab.stage(#"{"do": "set", "object": "\#(id)", "key": "photo", "value": "\#(bytes)"}"#)
        _ = try await tab.ask("POST", "edits/save", "{}")
        let other = try stack.another()
        let object = try #require(try other.context.all("Shot", sortedBy: "name").first)
        #expect(object.value(forKey: "photo") as? Data == jpeg)
    }

    @Test("MEDIA-13: a hidden attribute has no thumbnail, not even one from the cache")
    func hiddenPicturesHaveNoThumbnails() async throws {
        let id = try names()[0]
        _ = try await tab.ask("GET", "objects/\(id)/values/photo/thumbnail")
        let hiding = EditingTab.browser(
            beside: stack.url, rules: BrowserRules { _, _, _, key in key != "photo" })
        hiding.show(stack.coordinator, name: "Test")
        _ = try await EditingTab(hiding).ask("GET", "objects/\(id)/values/photo/thumbnail", status: 422)
    }

    @Test("MEDIA-13: a page of 100 thumbnails that are in the cache is answered without reading pictures")
    func cachedThumbnailsReadNoPictures() async throws {
        let data = try Data(contentsOf: folder.url.appendingPathComponent("a.jpg"))
        for number in 0..<100 {
            stack.context.insert("Shot", ["name": "x\(number)", "photo": data + Data("\(number)".utf8)])
        }
        try stack.context.save()
        let ids = try names().dropFirst(5)
        func all() async throws -> Duration {
            try await ContinuousClock().measure {
                for id in ids {
                    let response = await response("\(id)/values/photo/thumbnail?size=64")
                    #expect(response.status == 200)
                    _ = try await response.body.bytes(limit: 1 << 20)
                }
            }
        }
        let first = try await all()
        let second = try await all()
        #expect(second < first)
        print("MEDIA-13: 100 thumbnails made in \(first), from the cache in \(second)")
    }
}
