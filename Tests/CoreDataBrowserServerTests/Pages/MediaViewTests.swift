import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
import Testing

@Suite(
    "Bytes and pictures in Chromium", .serialized,
    .enabled(if: HeroPages.isPossible, "chromedriver is not installed"))
struct MediaViewTests {
    /// A picture of one pixel.
    private static let picture =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    @Test(
        "lists show small pictures, bytes are paged through, archives are decoded, markup stays bytes (BRW-40, BRW-41)")
    func listsShowSmallPictures() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        let file = heroes.store.url.deletingLastPathComponent().appendingPathComponent("Files.sqlite")
        let builder = ModelBuilder()
        builder.entity("File", ["data": .binaryDataAttributeType, "name": .stringAttributeType])
        let stack = try Stack(builder.model, url: file)
        let list = try PropertyListSerialization.data(fromPropertyList: ["key": "told"], format: .binary, options: 0)
        let values: [(String, Data)] = [
            ("1", try #require(Data(base64Encoded: Self.picture))), ("2", Data((0..<9_000).map { UInt8($0 % 251) })),
            ("3", list), ("4", Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)),
        ]
        for (name, data) in values { stack.context.insert("File", ["name": name, "data": data]) }
        try stack.context.save()
        let names = try stack.context.all("File", sortedBy: "name").map(\.objectID.shortText)
        try stack.coordinator.remove(stack.store)
        try heroes.browser.open(file)
        let address = heroes.address("stores/2/")
        try await page.go(to: address + "entities/File?sort=name")
        try await page.wait(until: "document.querySelector('.cell img.thumbnail')?.naturalWidth === 1")
        #expect(try await page.evaluate("return document.querySelectorAll('.cell img').length").number == 1)
        try await page.go(to: address + "objects/\(names[1])")
        try await Self.show(page)
        try await page.wait(until: "document.querySelector('pre.hex')?.textContent.startsWith('000000')")
        try await page.click("main .fields .line button:last-of-type")
        try await page.wait(until: "document.querySelector('pre.hex')?.textContent.startsWith('001000')")
        try await page.go(to: address + "objects/\(names[2])")
        try await Self.show(page)
        try await page.wait(until: "document.querySelector('pre.hex')")
        try await page.evaluate(
            "[...document.querySelectorAll('main button')].find((b) => b.textContent === 'Decode').click()")
        try await page.wait(until: "document.querySelector('main .tree')?.innerText.includes('told')")
        try await page.go(to: address + "objects/\(names[3])")
        try await Self.show(page)
        try await page.wait(until: "document.querySelector('pre.hex')")
        #expect(try await page.evaluate("return document.querySelectorAll('main svg, main img').length").number == 0)
    }

    /// Presses the button that shows the bytes.
    private static func show(_ page: WebPage) async throws {
        try await page.wait(until: "document.querySelector('main button[aria-label$=\": data\"]')")
        try await page.click("main button[aria-label$=\": data\"]")
    }
}
