import CoreData
import CoreDataBrowserServer
import CoreDataSyncPeers
import CoreDataSyncing
import Foundation
import MultipeerConnectivity
import StoreContract
import TestBasics
import TestBrowsers
import TestServers
import Testing

/// A store that a browser of a test connects with devices nearby, and a real web browser that looks at it.
private final class NearbyPage {
    let page: WebPage
    let stack: Stack
    private let server: BrowserServer
    private let browser: Browser

    init(_ name: String, in folder: URL, language: String = "en", width: Int = 1280) async throws {
        let url = folder.appendingPathComponent("\(name).sqlite")
        stack = try Stack(SuperDB.model(), url: url, options: [NSPersistentHistoryTrackingKey: true])
        let context = stack.context
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Hero", into: context).setValue(name, forKey: "name")
            try context.save()
        }
        var options = BrowserOptions()
        options.stateFolder = folder.appendingPathComponent("\(name).state")
        options.language = language
        let device = folder.appendingPathComponent("\(name).device")
        options.nearbyTransport = { address, _, isConnecting in
            let group = try PeerGroup(address: address)
            guard isConnecting else { return PeerGroupTransport.keptItems(of: group, in: device) }
            return try PeerGroupTransport(group, in: device, deviceName: name)
        }
        browser = Browser(options: options)
        try browser.open(url, isWriting: true)
        server = try BrowserServer(browser, port: 0)
        page = try await WebDriver().open(width: width, height: 800)
        try await page.go(to: server.link())
        try await page.wait(until: "document.querySelector('main a')")
        try await page.go(to: server.address + browser.named("stores/1/sync"))
        try await page.wait(until: "document.querySelector('main .state .primary')")
    }

    deinit { server.stop() }

    /// Takes part by the dialog; the picker opens.
    func join(_ type: String, founding: Bool) async throws {
        try await page.click("main .state .primary")
        try await page.type(type, into: "dialog form input:not([type=checkbox])")
        if founding { try await page.click("dialog form input[type=checkbox]") }
        try await page.click("dialog footer .primary")
        try await page.wait(until: "document.querySelector('dialog .nearbyaddress')")
    }

    /// An address by which the device is reached from this machine, as the picker shows it.
    func address() async throws -> String {
        let text = try await page.evaluate("return document.querySelector('dialog .dialogbody')?.innerText").text ?? ""
        return try #require(
            text.split(whereSeparator: \.isWhitespace).map(String.init).first { $0.hasPrefix("127.0.0.1:") })
    }

    /// Connects by address.
    func enter(_ address: String) async throws {
        try await page.type(address + WebKey.enter, into: "dialog .nearbyaddress input")
    }

    func heroes() throws -> [String] {
        let other = try stack.another()
        return try other.context.performAndWait {
            try other.context.all("Hero").compactMap { $0.value(forKey: "name") as? String }.sorted()
        }
    }

    /// The code that the picker shows, once it does.
    func code() async throws -> String? {
        try await page.wait(until: "document.querySelector('dialog .nearby .code')")
        return try await page.text(of: "dialog .nearby .code")
    }
}

/// The picker of devices nearby, on the pages of two devices.
@Suite(
    "Devices nearby in a browser", .serialized, .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"),
    .timeLimit(.minutes(6)))
struct NearbyViewTests {
    private let folder: TemporaryFolder
    private let type = "p" + UUID().uuidString.lowercased().filter(\.isHexDigit).prefix(12)

    init() throws {
        folder = try TemporaryFolder()
        // The library of the bus reads its address once in a process.
        if DiscoveryServer.isAvailable { _ = try DiscoveryServer.shared.get() }
    }

    /// Two pages whose devices meet: by themselves, or by address where there is no discovery.
    private func meet(_ one: NearbyPage, _ other: NearbyPage) async throws {
        try await one.join(type, founding: true)
        try await other.join(type, founding: false)
        if !DiscoveryServer.isAvailable { try await other.enter(try await one.address()) }
    }

    @Test("two pages pair by a code that both show, the connection closes the picker, and their stores agree (PEER-17)")
    func pagesPairAndAgree() async throws {
        let kitchen = try await NearbyPage("kitchen", in: folder.url)
        let hall = try await NearbyPage("hall", in: folder.url)
        try await meet(kitchen, hall)
        let codes = [try await kitchen.code(), try await hall.code()]
        #expect(codes[0]?.filter(\.isNumber).count == 6 && codes[0] == codes[1])
        // By the keyboard: the button has the focus, and Enter presses it.
        for side in [kitchen, hall] {
            try await side.page.evaluate("document.querySelector('dialog [data-key$=sameCode]').focus()")
            try await side.page.press(WebKey.enter)
        }
        for (side, other) in [(kitchen, "hall"), (hall, "kitchen")] {
            try await side.page.wait(until: "!document.querySelector('dialog')")
            try await side.page.wait(
                until: "document.querySelector('[data-connected=\"1\"]')?.innerText.includes('\(other)')")
        }
        await eventually("the stores agree") {
            (try? kitchen.heroes()) == ["hall", "kitchen"] && (try? hall.heroes()) == ["hall", "kitchen"]
        }
        // Whom one stops to connect with is not connected on the other page either.
        try await kitchen.page.click(".nearbydevices button")
        try await hall.page.wait(until: "document.querySelector('[data-connected=\"0\"]')")
    }

    @Test("a code that differs on one page is refused on both, and both say so (PEER-17, PEER-05)")
    func otherCodesAreRefused() async throws {
        let kitchen = try await NearbyPage("kitchen", in: folder.url)
        let thief = try await NearbyPage("thief", in: folder.url)
        try await meet(kitchen, thief)
        _ = try await kitchen.code()
        try await kitchen.page.click("dialog [data-key$=otherCode]")
        try await kitchen.page.wait(until: "document.querySelector('dialog [data-state=refused]')")
        try await thief.page.wait(until: "document.querySelector('dialog [data-state=refused]')")
        #expect(try thief.heroes() == ["thief"])
    }

    @Test("a device that is not seen is connected by its address, once its code was compared (PEER-17, PEER-12)")
    func pickerConnectsByAddress() async throws {
        let kitchen = try await NearbyPage("kitchen", in: folder.url)
        try await kitchen.join(type, founding: true)
        let session = MCSession(peer: MCPeerID(displayName: "Cellar"))
        session.trust = .pairing(PairingFile(folder.url.appendingPathComponent("cellar"))) { _, _, answer in
            answer(true)
        }
        session.endpoint.setInvitationHandler { [weak session] in $0.answer(true, session: session) }
        let port = try session.endpoint.listen()
        try await kitchen.enter("127.0.0.1:\(port)")
        _ = try await kitchen.code()
        try await kitchen.page.click("dialog [data-key$=sameCode]")
        try await kitchen.page.wait(until: "!document.querySelector('dialog')")
        try await kitchen.page.wait(
            until: "document.querySelector('[data-connected=\"1\"]')?.innerText.includes('Cellar')")
        session.disconnect()
        try await kitchen.page.wait(until: "document.querySelector('[data-connected=\"0\"]')")
    }

    @Test("Done, Cancel and Escape close the picker; wrong addresses are refused in words (PEER-17)")
    func pickerCloses() async throws {
        let kitchen = try await NearbyPage("kitchen", in: folder.url)
        let page = kitchen.page
        try await kitchen.join(type, founding: true)
        let open = ".nearbydevices .line button:last-child"
        for way in ["dialog footer .primary", "dialog footer button:first-child"] {
            try await page.click(way)
            try await page.wait(until: "!document.querySelector('dialog')")
            try await page.click(open)
            try await page.wait(until: "document.querySelector('dialog .nearbyaddress')")
        }
        try await kitchen.enter("here")
        try await page.wait(until: "document.body.innerText.includes('is not the address of a device')")
        try await page.press(WebKey.escape)
        try await page.wait(until: "!document.querySelector('dialog')")
        #expect(try await page.evaluate("return document.activeElement.innerText").text == "Find devices")
    }

    @Test(
        "the picker fits a phone in four languages, and breaks no rule of accessibility (PEER-17, BRW-54)",
        arguments: ["en", "de", "fr", "ar"])
    func pickerFitsAPhone(language: String) async throws {
        let device = try await NearbyPage("kitchen", in: folder.url, language: language, width: 320)
        let page = device.page
        try await device.join(type, founding: true)
        let other = try PeerGroupTransport(
            PeerGroup(serviceType: type), in: folder.url.appendingPathComponent("other"),
            deviceName: "Küche mit einem langen Namen")
        try other.start()
        defer { other.stop() }
        let address = try await device.address()
        let connecting = Task { if !DiscoveryServer.isAvailable { try await other.connect(to: address) } }
        defer { connecting.cancel() }
        _ = try await device.code()
        let wide = try await page.evaluate(
            """
            return [...document.querySelectorAll('body *')].filter((element) => !element.closest('.scroll, .unseen')
                && (element.getBoundingClientRect().right > innerWidth + 1 || element.getBoundingClientRect().left < -1))
                .map((element) => element.tagName + '.' + element.className + ' ' + element.innerText?.slice(0, 40));
            """)
        #expect(wide.elements.compactMap(\.text) == [], "nothing is wider than the page")
        let excess = try await page.evaluate("return document.documentElement.scrollWidth - innerWidth").number
        #expect((excess ?? 1) <= 0, "the page does not scroll sideways")
        #expect(
            try await page.evaluate("return document.documentElement.dir").text == (language == "ar" ? "rtl" : "ltr"))
        if let rules = AxeCore.rules {
            _ = try await page.evaluate(
                rules
                    + "; window.axeResult = null; axe.run().then(r => window.axeResult = r.violations.map(v => v.id + ': ' + v.nodes[0].html))"
            )
            try await page.wait(until: "window.axeResult")
            #expect(try await page.evaluate("return window.axeResult").elements.compactMap(\.text) == [])
        }
        if let place = ProcessInfo.processInfo.environment["OPENCOREDATA_PICTURES"] {
            try await page.screenshot().write(to: URL(fileURLWithPath: place + "/nearby-\(language).png"))
        }
        other.answer(try #require(other.devices.first).id, isSameCode: false)
    }
}
