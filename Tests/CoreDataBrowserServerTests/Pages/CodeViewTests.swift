import CoreData
import CoreDataBrowserServer
import CoreDataCodes
import StoreContract
import TestBasics
import TestBrowsers
import Testing

/// The programs that these tests need beside a browser.
enum CodeTools {
    static let areInstalled = CodeWriter.isAvailable && (try? Toolchain.url("ffmpeg")) != nil
}

@Suite(
    "Codes in Chromium", .serialized,
    .enabled(
        if: HeroPages.isPossible && CodeTools.areInstalled,
        "chromium-driver, zxing-cpp-tools or ffmpeg is not installed"))
struct CodeViewTests {
    private static let shown = "https://example.org/größe?a=1&b=2"

    private static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Thing", ["name": .stringAttributeType, "barcode": .stringAttributeType, "qr": .stringAttributeType])
        return builder.model
    }

    /// A film of three seconds that shows a code, as a camera sees it: grey, with noise around it.
    private static func film(of text: String, in folder: URL) async throws -> URL {
        let (picture, film) = (folder.appendingPathComponent("code.png"), folder.appendingPathComponent("camera.y4m"))
        try await CodeWriter().matrix(of: text).png(scale: 8).write(to: picture)
        _ = try Toolchain.output(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-loop", "1", "-i", picture.path, "-t", "1", "-r", "10", "-vf",
                "eq=contrast=0.6,pad=640:480:(ow-iw)/2:(oh-ih)/2:color=gray,noise=alls=12:allf=t", "-pix_fmt",
                "yuv420p",
                film.path,
            ])
        return film
    }

    private func pages(_ arguments: [String]) async throws -> HeroPages {
        try await HeroPages(
            fill: { context in
                for (name, barcode) in [("Pen", "4006381333931"), ("Gum", "036000291452"), ("Wrong", "4006381333932")] {
                    context.insert("Thing", ["name": name, "barcode": barcode])
                }
                for number in 0..<10 {
                    context.insert("Thing", ["name": "T\(number)", "barcode": "96385074", "qr": Self.shown])
                }
            }, model: Self.model(), arguments: arguments)
    }

    private func object(_ pages: HeroPages, _ name: String) throws -> String {
        try #require(try pages.stored("Thing", NSPredicate(format: "name == %@", name))).objectID.shortText
    }

    @Test("a value is drawn as a code, a wrong check digit is marked, and a link becomes a QR code (CAM-06)")
    func codesAreDrawn() async throws {
        let pages = try await pages([])
        let page = pages.page
        try await pages.go(to: "objects/\(try object(pages, "Pen"))")
        try await page.wait(until: "document.querySelector('[data-kind=code] svg.bars path:last-child')")
        try await pages.go(to: "objects/\(try object(pages, "Wrong"))")
        try await page.wait(until: "document.querySelector('[data-kind=code] .problem')")
        try await pages.go(to: "objects/\(try object(pages, "T0"))")
        try await page.wait(until: "document.querySelectorAll('[data-kind=code] svg').length === 2")
        // What is drawn is read back from a picture of the page.
        let shot = try await page.screenshot()
        let read = try await CodeReader().codes(in: shot).map(\.stringValue)
        #expect(read.contains(Self.shown), "\(read)")
        if let folder = ProcessInfo.processInfo.environment["CORE_DATA_SCREENSHOTS"] {
            try shot.write(to: URL(fileURLWithPath: folder).appendingPathComponent("codes.png"))
        }
    }

    @Test("a code before the camera is scanned into an attribute and into the search (CAM-05, SAMPLE-18)")
    func cameraIsScanned() async throws {
        let folder = try TemporaryFolder()
        let film = try await Self.film(of: "4006381333931", in: folder.url)
        let pages = try await pages([
            "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
            "--use-file-for-fake-video-capture=\(film.path)",
        ])
        let page = pages.page
        try await pages.go(to: "objects/\(try object(pages, "Wrong"))")
        let scan = "[data-kind=code] .kindview .line button:nth-of-type(2)"
        try await page.wait(until: "document.querySelector('\(scan)')")
        try await page.click(scan)
        try await page.wait(until: "document.querySelector('[data-field=barcode]')?.value === '4006381333931'")
        #expect(try await page.evaluate("return document.querySelectorAll('dialog').length").number == 0)
        try await pages.go(to: "entities/Thing?sort=name")
        let menu = "[...document.querySelectorAll('.toolbar button')].find((b) => b.textContent === 'Filters')"
        try await page.wait(until: menu)
        try await page.evaluate("\(menu).click()")
        let item =
            "[...document.querySelectorAll('[role=menuitem]')].find((b) => b.textContent.includes('Search by scanning a code'))"
        try await page.wait(until: item)
        try await page.evaluate("\(item).click()")
        try await page.wait(until: "document.querySelector('input.search').value === '4006381333931'")
        try await page.wait(until: "new URLSearchParams(location.search).get('search') === '4006381333931'")
    }

    @Test("without a camera a picture is chosen, and what has no code says so (CAM-05)")
    func picturesAreScanned() async throws {
        let folder = try TemporaryFolder()
        let (code, none) = (
            folder.url.appendingPathComponent("code.png"), folder.url.appendingPathComponent("none.png")
        )
        try await CodeWriter(type: .ean13).matrix(of: "4006381333931").png().write(to: code)
        try Data("no picture".utf8).write(to: none)
        let pages = try await pages([])
        let page = pages.page
        try await pages.go(to: "objects/\(try object(pages, "Wrong"))")
        let scan = "[data-kind=code] .kindview .line button:nth-of-type(2)"
        try await page.wait(until: "document.querySelector('\(scan)')")
        try await page.click(scan)
        try await page.wait(until: "document.querySelector('dialog [role=alert]')?.innerText.length > 5")
        let said = try await page.text(of: "dialog [role=alert]") ?? ""
        #expect(said.contains("no camera") || said.contains("Access Denied"), "\(said)")
        try await page.type(none.path, into: "dialog input[type=file]")
        try await page.wait(until: "document.querySelector('dialog [role=alert]')?.innerText.includes('picture')")
        try await page.type(code.path, into: "dialog input[type=file]")
        try await page.wait(until: "document.querySelector('[data-field=barcode]')?.value === '4006381333931'")
    }
}
