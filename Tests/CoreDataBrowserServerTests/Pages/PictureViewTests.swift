import CoreData
import CoreDataBrowserServer
import ProgramKit
import StoreContract
import TestBasics
import TestBrowsers
import Testing

/// The programs that make the pictures and the film of these tests.
private enum PicturePrograms {
    static let vips = HelperProgram("vips", package: "libvips-tools")
    static let ffmpeg = HelperProgram("ffmpeg", package: "ffmpeg")
    static let arePossible = HeroPages.isPossible && vips.url != nil && ffmpeg.url != nil
}

@Suite(
    "Pictures and the camera in Chromium", .serialized,
    .enabled(if: PicturePrograms.arePossible, "chromedriver, libvips-tools and ffmpeg are not all installed"))
struct PictureViewTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ program: HelperProgram, _ arguments: [String], _ name: String) throws -> Data {
        let output = try program.run(arguments, folder: folder.url)
        try #require(output.status == 0, "\(output.standardError)")
        return try Data(contentsOf: folder.url.appendingPathComponent(name))
    }

    /// A picture of 320 × 200, in the format of the name.
    private func picture(_ name: String) throws -> Data {
        _ = try make(
            PicturePrograms.ffmpeg,
            ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=320x200", "-frames:v", "1", "in.png"],
            "in.png")
        return try make(PicturePrograms.vips, ["copy", "in.png", name], name)
    }

    /// What the camera of Chromium shows.
    private func camera() throws -> [String] {
        _ = try make(
            PicturePrograms.ffmpeg,
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=640x480:rate=10:duration=2",
                "-pix_fmt", "yuv420p", "camera.y4m",
            ], "camera.y4m")
        return [
            "--use-fake-device-for-media-stream",
            "--use-file-for-fake-video-capture=\(folder.url.path)/camera.y4m",
        ]
    }

    private func pages(
        _ photos: [Data?], arguments: [String] = [], hasThumbnails: Bool = false
    ) async throws -> (HeroPages, WebPage, [String]) {
        let builder = ModelBuilder()
        builder.entity("Shot", ["name": .stringAttributeType, "photo": .binaryDataAttributeType])
        builder.attribute("Shot.photo").allowsExternalBinaryDataStorage = true
        builder.attribute("Shot.photo").isOptional = true
        if hasThumbnails {
            builder["Shot"].properties.append(Self.thumbnail())
            builder.attribute("Shot.photo").userInfo = ["valueKind": "picture", "valueKind.thumbnail": "small"]
        }
        let pages = try await HeroPages(
            fill: { context in
                for (number, photo) in photos.enumerated() {
                    var values: [String: Any] = ["name": "\(number)"]
                    values["photo"] = photo
                    context.insert("Shot", values)
                }
            }, model: builder.model, arguments: arguments)
        let ids = try photos.indices.map { number in
            try #require(try pages.stored("Shot", NSPredicate(format: "name == %@", "\(number)"))).objectID.shortText
        }
        return (pages, pages.page, ids)
    }

    private static func thumbnail() -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = ("small", .binaryDataAttributeType, true)
        return attribute
    }

    private func stored(_ pages: HeroPages, _ name: String = "0", key: String = "photo") throws -> Data? {
        try pages.stored("Shot", NSPredicate(format: "name == %@", name))?.value(forKey: key) as? Data
    }

    private func press(_ page: WebPage, _ text: String) async throws {
        let script = "[...document.querySelectorAll('button')].find((b) => b.textContent === '\(text)' && !b.disabled)"
        // Found and pressed in one step: a pane that is drawn again in between has another button.
        try await page.wait(until: "((found) => { found?.click(); return found; })(\(script))")
    }

    private func save(_ pages: HeroPages, _ page: WebPage) async throws {
        try await page.wait(until: "document.querySelector('.editbar .primary')")
        try await page.click(".editbar .primary")
        try await page.wait(until: "!document.querySelector('dd.changed')")
    }

    /// Width and height of a JPEG or PNG, by vips.
    private func size(_ data: Data) throws -> [Int] {
        try data.write(to: folder.url.appendingPathComponent("size"))
        return try ["width", "height"].compactMap { field in
            let output = try HelperProgram("vipsheader", package: "libvips-tools").run(
                ["-f", field, "size"], folder: folder.url)
            return Int(output.text.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    @Test("CAM-01: a photograph is taken with the camera, and stored as JPEG of the camera's size")
    func photographIsStored() async throws {
        let (pages, page, ids) = try await pages([nil], arguments: try camera())
        try await page.setCamera(isAllowed: true)
        try await pages.go(to: "objects/\(ids[0])")
        try await press(page, "Photograph…")
        try await page.wait(until: "document.querySelector('.camera video')?.videoWidth > 0")
        try await press(page, "Take Picture")
        try await press(page, "Use")
        try await page.wait(until: "document.querySelector('dd.changed')")
        try await save(pages, page)
        let photo = try #require(try stored(pages))
        #expect(photo.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(try size(photo) == [640, 480])
        #expect(try await page.evaluate("return document.querySelectorAll('video').length").number == 0)
    }

    @Test("CAM-01: of two cameras one is chosen")
    func camerasAreChosen() async throws {
        let (pages, page, ids) = try await pages(
            [nil], arguments: ["--use-fake-device-for-media-stream=device-count=2"])
        try await page.setCamera(isAllowed: true)
        try await pages.go(to: "objects/\(ids[0])")
        try await press(page, "Photograph…")
        try await page.wait(until: "document.querySelector('.camera select')?.options.length === 2")
        let label = "document.querySelector('.camera video').srcObject.getVideoTracks()[0].label"
        let first = try await page.evaluate("return \(label)").text
        try await page.evaluate(
            """
            const choice = document.querySelector('.camera select');
            choice.selectedIndex = 1 - choice.selectedIndex;
            choice.dispatchEvent(new Event('change'));
            """)
        try await page.wait(
            until: "document.querySelector('.camera video')?.videoWidth > 0 && \(label) !== '\(first ?? "")'")
    }

    @Test("CAM-01: a denied camera says so, and none at all offers a file")
    func refusalsAreSaid() async throws {
        let (pages, page, ids) = try await pages([nil], arguments: try camera())
        try await page.setCamera(isAllowed: false)
        try await pages.go(to: "objects/\(ids[0])")
        try await press(page, "Photograph…")
        try await page.wait(until: "document.querySelector('.camera [role=alert]')?.innerText === 'Access Denied'")
        #expect(try await page.evaluate("return document.querySelectorAll('.camera input').length").number == 0)
        let (others, other, names) = try await self.pages([nil])
        try await other.setCamera(isAllowed: true)
        try await others.go(to: "objects/\(names[0])")
        try await press(other, "Photograph…")
        try await other.wait(until: "document.querySelector('.camera input[type=file]')")
        #expect(try await other.text(of: ".camera [role=alert]")?.contains("no camera") == true)
        let file = folder.url.appendingPathComponent("chosen.png")
        let bytes = try picture("chosen.png")
        try await other.type(file.path, into: ".camera input[type=file]")
        try await other.wait(until: "document.querySelector('dd.changed')")
        try await save(others, other)
        #expect(try stored(others) == bytes, "a file is stored as it is")
    }

    @Test("CAM-01: a browser that knows no camera offers none")
    func nothingIsOffered() async throws {
        let (pages, page, _) = try await pages([nil])
        try await pages.go(to: "entities/Shot")
        try await page.wait(until: "document.querySelector('.grid .row[data-id] a')")
        try await page.evaluate(
            """
            Object.defineProperty(navigator, 'mediaDevices', { value: undefined });
            document.querySelector('.grid .row[data-id] a').click();
            """)
        try await page.wait(until: "document.querySelector('.picturedrop')")
        #expect(try await page.text(of: ".picturedrop")?.contains("Photograph") == false)
    }

    @Test("CAM-02: a cropped and scaled picture is stored, and an unchanged one keeps its bytes")
    func croppedPicturesAreStored() async throws {
        let bytes = try picture("a.png")
        let (pages, page, ids) = try await pages([bytes])
        try await pages.go(to: "objects/\(ids[0])")
        try await press(page, "Crop and scale…")
        try await page.wait(until: "document.querySelector('.cropview')")
        try await press(page, "Use")
        try await page.wait(until: "!document.querySelector('dialog')")
        #expect(try await page.evaluate("return document.querySelectorAll('dd.changed').length").number == 0)
        try await press(page, "Crop and scale…")
        try await page.wait(until: "document.querySelector('[data-field=\"crop width\"]')")
        try await page.evaluate(
            """
            for (const [name, value] of [['x', 20], ['y', 40], ['width', 160], ['height', 100]]) {
                const field = document.querySelector(`[data-field="crop ${name}"]`);
                field.value = value;
                field.dispatchEvent(new Event('change'));
            }
            """)
        try await press(page, "Use")
        try await page.wait(until: "document.querySelector('dd.changed')")
        try await save(pages, page)
        let cropped = try #require(try stored(pages))
        #expect(cropped.starts(with: [0x89, 0x50]), "a PNG stays one")
        #expect(try size(cropped) == [160, 100])
    }

    @Test("CAM-03: the band with the date changes the top alone, half-transparent, and grows with the picture")
    func bandChangesTheTopAlone() async throws {
        let (pages, page, _) = try await pages([nil])
        defer { withExtendedLifetime(pages) {} }
        let found = try await page.evaluate(
            """
            return (async () => {
                const base = new URL(document.querySelector('script[type=module]').src).pathname.replace(/main\\.js$/, '');
                const m = await import(`${base}components/kinds/pictureCanvas.js`);
                const results = [];
                for (const width of [640, 1920]) {
                    const canvas = document.createElement('canvas');
                    [canvas.width, canvas.height] = [width, width / 2];
                    const context = canvas.getContext('2d');
                    context.fillStyle = '#c86432';
                    context.fillRect(0, 0, width, width / 2);
                    m.stamp(canvas, 'Taken on : 4 May 2019');
                    const data = context.getImageData(0, 0, width, width / 2).data;
                    let last = -1;
                    for (let y = 0; y < width / 2; y += 1) {
                        for (let x = 0; x < width; x += 1) {
                            const at = (y * width + x) * 4;
                            if (data[at] !== 200 || data[at + 1] !== 100 || data[at + 2] !== 50) { last = y; break; }
                        }
                    }
                    const corner = data[(width - 1) * 4];
                    results.push(last + 1, Math.abs(corner - 100) <= 1 ? 1 : 0);
                }
                return results;
            })()
            """
        ).elements.compactMap(\.number)
        #expect(found == [20, 1, 60, 1])
    }

    @Test("CAM-01: pictures are dropped and pasted, other files are refused")
    func picturesAreDropped() async throws {
        let (jpeg, png) = (try picture("drop.jpg"), try picture("paste.png"))
        let (pages, page, ids) = try await pages([nil])
        try await pages.go(to: "objects/\(ids[0])")
        try await page.wait(until: "document.querySelector('.picturedrop')")
        let drop = """
            const [text, type, event] = arguments;
            const data = new DataTransfer();
            data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], 'a', { type }));
            const zone = document.querySelector('.picturedrop');
            zone.dispatchEvent(event === 'drop' ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
                : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
            """
        try await page.evaluate(drop, [.string("PHN2Zy8+"), .string("image/svg+xml"), .string("drop")])
        try await page.wait(until: "document.querySelector('.picturedrop').innerText.includes('no picture')")
        for (event, bytes, type) in [("drop", jpeg, "jpeg"), ("paste", png, "png")] {
            try await page.evaluate(
                drop, [.string(bytes.base64EncodedString()), .string("image/\(type)"), .string(event)])
            try await page.wait(until: "document.querySelector('dd.changed')")
            try await save(pages, page)
            #expect(try stored(pages) == bytes, "\(event)")
            let shown = "\(type.uppercased()), 320 × 200"
            try await page.wait(
                until: "document.querySelector('[data-kind=picture]')?.innerText.includes('\(shown)')")
        }
    }

    @Test("MEDIA-13: a thumbnail that the model names follows its picture, and goes with it")
    func thumbnailFollowsPicture() async throws {
        let (pages, page, ids) = try await pages([nil], hasThumbnails: true)
        try await pages.go(to: "objects/\(ids[0])")
        try await page.wait(until: "document.querySelector('input[type=file][data-field=photo]')")
        try await page.evaluate(
            """
            const data = new DataTransfer();
            data.items.add(new File([Uint8Array.from(atob(arguments[0]), (c) => c.charCodeAt(0))], 'a.jpg',
                { type: 'image/jpeg' }));
            const field = document.querySelector('input[type=file][data-field=photo]');
            field.files = data.files;
            field.dispatchEvent(new Event('change'));
            """, [.string(try picture("chosen.jpg").base64EncodedString())])
        try await page.wait(until: "document.querySelector('dd.changed')")
        try await save(pages, page)
        #expect(try size(try #require(try stored(pages, key: "small"))) == [256, 160])
        let clear = "input[type=file][data-field=photo] + button"
        try await page.wait(until: "document.querySelector('\(clear)')")
        try await page.click(clear)
        try await page.wait(until: "document.querySelector('dd.changed')")
        try await save(pages, page)
        #expect(try stored(pages) == nil)
        #expect(try stored(pages, key: "small") == nil)
    }

    @Test(
        "BRW-40, MEDIA-13: lists show thumbnails also of HEIC, a tile with the reason for what is damaged, and objects the picture"
    )
    func listsShowThumbnails() async throws {
        let jpeg = try picture("a.jpg")
        let (pages, page, ids) = try await pages([jpeg, try picture("a.heic"), jpeg.prefix(jpeg.count / 2)])
        try await pages.go(to: "entities/Shot?sort=name")
        try await page.wait(
            until:
                "[...document.querySelectorAll('.cell img.thumbnail')].filter((i) => i.naturalWidth === 64).length === 2"
        )
        try await page.wait(until: "document.querySelector('.cell .tile')?.title.includes('damaged')")
        try await pages.go(to: "objects/\(ids[1])")
        try await page.wait(until: "document.querySelector('[data-kind=picture] img.picture')?.naturalWidth === 320")
        #expect(try await page.text(of: "[data-kind=picture]")?.contains("HEIC, 320 × 200") == true)
        if let folder = ProcessInfo.processInfo.environment["CORE_DATA_SCREENSHOTS"] {
            try await page.screenshot().write(to: URL(fileURLWithPath: folder).appendingPathComponent("picture.png"))
        }
        try await pages.go(to: "objects/\(ids[2])")
        try await page.wait(until: "document.querySelector('[data-kind=picture]')")
    }
}
