import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBasics
import TestBrowsers
import Testing

@Suite(
    "Many tabs of a real web browser", .serialized, .enabled(if: WebDriver.isInstalled, "chromedriver is not installed")
)
struct ManyTabsTests {
    /// Has a page note what it hears of saves: the numbers of the transactions, and the bytes that tell of them.
    private static let listening = """
        const { onLive } = await import('/assets/base/live.js');
        window.heard = { transactions: [], bytes: 0, isWhole: true };
        onLive((event) => {
            if (event.kind !== 'saved') return;
            heard.transactions.push(event.transaction);
            heard.bytes += JSON.stringify(event).length;
            heard.isWhole &&= !event.many && event.updated.includes('Hero/p1');
        }, new AbortController().signal);
        """

    /// Has a page note for which pages others have a session.
    private static let countingSessions = """
        window.given = [];
        const { root } = await import('/assets/base/api.js');
        new BroadcastChannel(`opencoredata:${root}`).addEventListener('message', ({ data }) => data.give && given.push(data.give));
        """

    @Test(
        "every tab hears of each of ten saves a second, in few bytes, and shows the last (BRW-37)",
        .timeLimit(.minutes(10)))
    func everyUpdate() async throws {
        let (count, saves) = TestSeed.isExhaustive ? (50, 100) : (8, 30)
        let heroes = try await HeroPages(isWriting: false)
        let page = heroes.page
        for number in 0..<count {
            if number > 0 { try await page.openTab() }
            try await heroes.goToHeroes()
            try await page.evaluate(Self.listening)
            if number == 0 { try await page.evaluate(Self.countingSessions) }
        }
        let hero = try #require(try heroes.store.context.all("Hero", NSPredicate(format: "name == 'Alpha'")).first)
        #expect(hero.objectID.shortText == "Hero/p1")
        // One save before the others, which is seen in the tab that is in front, so that the stream is known to be read.
        try save("Identity 0", hero)
        try await page.wait(until: "document.querySelector('.grid').innerText.includes('Identity 0')")
        let start = ContinuousClock.now
        for number in 1...saves {
            try save("Identity \(number)", hero)
            try await Task.sleep(until: start + .milliseconds(100 * number))
        }
        for window in try await page.windows {
            try await page.switchTab(to: window)
            try await page.wait(until: "document.querySelector('.grid').innerText.includes('Identity \(saves)')")
            try await page.wait(until: "heard.transactions.length > \(saves)")
            let numbers = try await page.evaluate("return heard.transactions").elements.compactMap(\.number)
            let first = try #require(numbers.first)
            #expect(numbers == (0...saves).map { first + Double($0) })
            #expect(try await page.evaluate("return heard.isWhole") == true)
            let bytes = try await page.evaluate("return heard.bytes").number ?? .infinity
            #expect(bytes < Double(saves + 1) * 200, "\(bytes) bytes")
        }
        // Each new tab was given one session by one of the others: the server keeps 64.
        try await page.switchTab(to: try await page.windows[0])
        let given = try await page.evaluate("return given").elements.compactMap(\.text)
        #expect(given.count == count - 1 && Set(given).count == given.count)
    }

    private func save(_ identity: String, _ hero: NSManagedObject) throws {
        hero.setValue(identity, forKey: "secretIdentity")
        try hero.managedObjectContext?.save()
    }
}
