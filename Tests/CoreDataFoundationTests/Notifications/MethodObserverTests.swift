import CoreDataFoundation
import Testing

@Suite struct MethodObserverTests {
    private final class Listener {
        var told: [String] = []
        func took(_ notification: Notification) { told.append("took \(notification.name.rawValue)") }
        func tookObject(_ notification: NSNotification) { told.append("object \(notification.name.rawValue)") }
        func plain() { told.append("plain") }
    }

    private let center = NotificationCenter()
    private let one = Notification.Name("one")
    private let two = Notification.Name("two")

    @Test("methods of all three forms are called") func methodsOfAllThreeFormsAreCalled() {
        let listener = Listener()
        center.addObserver(listener, calling: Listener.took(_:), name: one, object: nil)
        center.addObserver(listener, calling: Listener.plain, name: one, object: nil)
        center.addObserver(listener, calling: Listener.tookObject(_:), name: nil, object: nil)
        center.post(name: one, object: nil)
        center.post(name: two, object: nil)
        #expect(listener.told.sorted() == ["object one", "object two", "plain", "took one"])
    }

    @Test("only notifications of the object are received") func onlyNotificationsOfObjectAreReceived() {
        let (listener, sender, other) = (Listener(), NSObject(), NSObject())
        center.addObserver(listener, calling: Listener.plain, name: one, object: sender)
        center.post(name: one, object: other)
        #expect(listener.told.isEmpty)
        center.post(name: one, object: sender)
        #expect(listener.told == ["plain"])
    }

    @Test("removal by the observer ends its methods, and no other's") func removalByObserverEndsItsMethods() {
        let (listener, other) = (Listener(), Listener())
        for each in [listener, other] {
            center.addObserver(each, calling: Listener.plain, name: one, object: nil)
            center.addObserver(each, calling: Listener.took(_:), name: two, object: nil)
        }
        center.removeObserver(listener, name: one, object: nil)
        center.post(name: one, object: nil)
        center.post(name: two, object: nil)
        #expect(listener.told == ["took two"] && other.told == ["plain", "took two"])
        center.removeObserver(listener)
        center.post(name: two, object: nil)
        #expect(listener.told == ["took two"] && other.told == ["plain", "took two", "took two"])
    }

    @Test("tokens are still removed") func tokensAreStillRemoved() {
        let listener = Listener()
        nonisolated(unsafe) let told = listener
        let token = center.addObserver(forName: one, object: nil, queue: nil) { _ in told.plain() }
        center.post(name: one, object: nil)
        center.removeObserver(token)
        center.post(name: one, object: nil)
        #expect(listener.told == ["plain"])
    }

    @Test("an observer is not retained, and one that is gone is not called") func observerIsNotRetained() {
        weak var gone: Listener?
        var calls = 0
        for _ in 0..<300 {
            let listener = Listener()
            gone = listener
            center.addObserver(listener, calling: Listener.plain, name: one, object: nil)
            center.post(name: one, object: nil)
            calls += listener.told.count
        }
        #expect(gone == nil && calls == 300)
    }
}
