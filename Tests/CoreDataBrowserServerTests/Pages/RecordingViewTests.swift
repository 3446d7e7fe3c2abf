import CoreData
import CoreDataBrowserServer
import CoreDataRecordings
import StoreContract
import TestBasics
import TestBrowsers
import Testing

@Suite(
    "Sounds and films in Chromium", .serialized,
    .enabled(if: HeroPages.isPossible && MediaInformation.isAvailable, "chromium-driver or ffmpeg is not installed"))
struct RecordingViewTests {
    private static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        let entity = builder.entity(
            "Note",
            ["name": .stringAttributeType, "voice": .binaryDataAttributeType, "clip": .binaryDataAttributeType])
        entity.attributesByName["voice"]?.userInfo = ["valueKind": "sound"]
        entity.attributesByName["clip"]?.userInfo = ["valueKind": "film"]
        return builder.model
    }

    private static let devices = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]

    private static func bytes(_ name: String, _ arguments: [String]) throws -> Data {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent(name)
        _ = try Toolchain.output("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments + [file.path])
        return try Data(contentsOf: file)
    }

    private func pages(
        _ arguments: [String] = devices, seconds: Int = 3, clip given: Data? = nil, voice other: Data? = nil
    ) async throws -> (HeroPages, WebPage) {
        let voice = try Self.bytes("a.wav", ["-f", "lavfi", "-i", "sine=frequency=440:duration=\(seconds)"])
        let clip = try Self.bytes(
            "a.webm",
            [
                "-f", "lavfi", "-i", "testsrc=size=320x240:rate=10:duration=4", "-c:v", "libvpx", "-b:v", "300k", "-g",
                "10",
            ])
        let pages = try await HeroPages(
            fill: { context in
                _ = context.insert("Note", ["name": "Full", "voice": other ?? voice, "clip": given ?? clip])
            },
            model: Self.model(), arguments: arguments)
        let object = try #require(try pages.stored("Note", NSPredicate(format: "name == 'Full'"))).objectID.shortText
        try await pages.go(to: "objects/\(object)")
        return (pages, pages.page)
    }

    private func data(_ key: String, _ pages: HeroPages) throws -> Data {
        let object = try #require(try pages.stored("Note", NSPredicate(format: "name == 'Full'")))
        return try #require(object.value(forKey: key) as? Data)
    }

    private func information(_ data: Data) async throws -> MediaInformation {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("stored")
        try data.write(to: file)
        return try await MediaInformation(of: file)
    }

    @Test("a sound has an outline, a film a poster, and both are played by ranges (CAM-08, MEDIA-12, MEDIA-13)")
    func playersAreShown() async throws {
        let (pages, page) = try await pages()
        defer { withExtendedLifetime(pages) {} }
        try await wait("document.querySelector('[data-kind=sound] svg.waveform path')", page)
        try await page.wait(until: "document.querySelector('[data-kind=film] video')?.poster.startsWith('blob:')")
        try await page.wait(until: "document.querySelector('[data-kind=sound] audio').duration > 2.9")
        try await page.evaluate("document.querySelector('[data-kind=film] video').currentTime = 3")
        try await page.wait(
            until:
                "(({ currentTime, seeking }) => currentTime === 3 && !seeking)(document.querySelector('[data-kind=film] video'))"
        )
        let said = try await page.text(of: "[data-kind=film] .kindview") ?? ""
        #expect(said.contains("4 s") && said.contains("320 × 240"), "\(said)")
        if let folder = ProcessInfo.processInfo.environment["CORE_DATA_SCREENSHOTS"] {
            try await page.screenshot().write(to: URL(fileURLWithPath: folder).appendingPathComponent("recordings.png"))
        }
    }

    @Test("an address of a value is of no use without the session, and of no other value (CAM-08)")
    func addressesNeedTheSession() async throws {
        let (pages, page) = try await pages()
        try await page.wait(until: "document.querySelector('[data-kind=sound] audio')?.duration > 2.9")
        let address = try #require(
            try await page.evaluate("return document.querySelector('[data-kind=sound] audio').src").text)
        let inside = try await page.evaluate(
            "return fetch(arguments[0], { headers: { Range: 'bytes=0-3' } }).then((r) => r.text())", [.string(address)])
        #expect(inside.text == "RIFF")
        let without = try await page.evaluate(
            "return fetch(arguments[0], { credentials: 'omit' }).then((r) => r.status)", [.string(address)])
        #expect(without.number == 401)
        let other = try await page.evaluate(
            "return fetch(arguments[0].slice(0, -1) + '~').then((r) => r.status)", [.string(address)])
        #expect(other.number == 404)
        _ = pages
    }

    private func press(_ text: String, in place: String, _ page: WebPage) async throws {
        // Found and pressed in one script, since the pane may be drawn again between two.
        try await wait(
            """
            (() => {
                const button = [...document.querySelectorAll('\(place) button')]
                    .find((b) => b.textContent === '\(text)' && !b.disabled);
                button?.click();
                return button;
            })()
            """, page)
    }

    /// Waits, and says what the page shows if it is in vain.
    private func wait(_ script: String, _ page: WebPage) async throws {
        do {
            try await page.wait(until: script)
        } catch {
            Issue.record("the page shows: \(try await page.text(of: "main") ?? "nothing")")
            throw error
        }
    }

    /// Saves what is staged.
    private func save(_ page: WebPage) async throws {
        try await page.wait(until: "document.querySelectorAll('.changed').length === 1")
        try await page.click(".editbar .primary")
        try await page.wait(until: "document.querySelectorAll('.changed').length === 0")
    }

    @Test("a sound is recorded after a question, paused and gone on with, as WAV of 44,100 Hz and 2 channels (CAM-07)")
    func soundIsRecorded() async throws {
        let (pages, page) = try await pages()
        try await press("Record…", in: "[data-kind=sound]", page)
        try await page.wait(until: "document.querySelector('dialog')?.innerText.includes('replaces what voice has')")
        try await press("Replace", in: "dialog", page)
        try await page.wait(until: "document.querySelector('dialog input[type=number]')")
        try await page.evaluate("document.querySelector('dialog input[type=number]').value = '2'")
        try await press("Start", in: "dialog", page)
        try await press("Pause", in: "dialog", page)
        try await Task.sleep(for: .seconds(3))
        // A pause does not count, and the dialog waits.
        #expect(try await page.evaluate("return document.querySelectorAll('dialog').length").number == 1)
        try await press("Continue", in: "dialog", page)
        try await page.wait(until: "document.querySelectorAll('dialog').length === 0")
        try await save(page)
        let made = try await information(data("voice", pages))
        #expect(made.sampleRate == 44_100 && made.channels == 2 && !made.isFilm, "\(made)")
        #expect(made.duration > 1 && made.duration <= 2.05, "\(made)")
    }

    @Test("a film is recorded up to its greatest duration, and has one (CAM-08)")
    func filmIsRecorded() async throws {
        let (pages, page) = try await pages()
        try await press("Record…", in: "[data-kind=film]", page)
        try await press("Replace", in: "dialog", page)
        try await page.wait(until: "document.querySelector('dialog select')")
        try await page.evaluate(
            "document.querySelector('dialog input[type=number]').value = '2'; document.querySelector('dialog select').value = 'low'"
        )
        try await press("Start", in: "dialog", page)
        try await page.wait(until: "document.querySelectorAll('dialog').length === 0", within: .seconds(60))
        try await save(page)
        let made = try await information(data("clip", pages))
        #expect(made.isFilm && made.saysDuration && made.duration > 1 && made.duration < 3, "\(made)")
    }

    @Test("seconds 1 to 3 of a film are kept, and nothing else (CAM-08)")
    func filmIsTrimmed() async throws {
        let (pages, page) = try await pages()
        try await page.wait(until: "document.querySelectorAll('[data-kind=film] input[type=number]').length === 2")
        try await page.evaluate(
            """
            const [from, to] = document.querySelectorAll('[data-kind=film] input[type=number]');
            from.value = '1';
            to.value = '3';
            """)
        try await press("Keep this part", in: "[data-kind=film]", page)
        try await save(page)
        let made = try await information(data("clip", pages))
        #expect(abs(made.duration - 2) < 0.15 && made.width == 320, "\(made)")
    }

    @Test("a part of a sound that is larger than other edits may be is staged and stored (CAM-08)")
    func largePartIsStored() async throws {
        let (pages, page) = try await pages(seconds: 60)
        try await page.wait(until: "document.querySelectorAll('[data-kind=sound] input[type=number]').length === 2")
        try await page.evaluate(
            """
            const [from, to] = document.querySelectorAll('[data-kind=sound] input[type=number]');
            from.value = '1';
            to.value = '58';
            """)
        try await press("Keep this part", in: "[data-kind=sound]", page)
        try await save(page)
        let stored = try data("voice", pages)
        #expect(stored.count > 4 << 20)
        #expect(abs(try await information(stored).duration - 57) < 0.2)
    }

    @Test("what the browser refuses, as QuickTime and CAF, is converted and played (MEDIA-12)")
    func refusedFormatsArePlayed() async throws {
        let film = try Self.bytes(
            "a.mov",
            ["-f", "lavfi", "-i", "testsrc=size=320x240:rate=10:duration=4", "-c:v", "mpeg4", "-f", "mov"])
        let sound = try Self.bytes(
            "a.caf", ["-f", "lavfi", "-i", "sine=frequency=440:duration=3", "-c:a", "pcm_s16be", "-f", "caf"])
        let (pages, page) = try await pages(clip: film, voice: sound)
        defer { withExtendedLifetime(pages) {} }
        for (tag, seconds) in [("video", 4.0), ("audio", 3.0)] {
            try await page.wait(
                until: "Math.abs((document.querySelector('\(tag).player')?.duration || 0) - \(seconds)) < 0.3",
                within: .seconds(60))
        }
        try await page.wait(
            until: "[...document.querySelectorAll('.media [role=alert]')].every((p) => p.textContent === '')")
    }

    @Test("without devices a file is chosen, and the page says so (CAM-08)")
    func noDevices() async throws {
        let (pages, page) = try await pages([])
        defer { withExtendedLifetime(pages) {} }
        try await press("Record…", in: "[data-kind=sound]", page)
        try await press("Replace", in: "dialog", page)
        try await press("Start", in: "dialog", page)
        try await page.wait(until: "document.querySelector('dialog [role=alert]')?.innerText.length > 5")
        let said = try await page.text(of: "dialog [role=alert]") ?? ""
        #expect(said.contains("no device") || said.contains("Access Denied"), "\(said)")
    }
}
