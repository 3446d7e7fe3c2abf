import Synchronization
import Testing

@testable import CoreDataGraph

@Suite("Types that are looked up by name") struct NamedTypeTests {
    private final class LateStore: NSPersistentStore, @unchecked Sendable {}

    @Test("a class of a module that is loaded later is found then, and looked up once after that")
    func laterLoadedClassIsFound() {
        let loaded = Mutex(false)
        let asked = Mutex<[String]>([])
        let names = ["Late": "Module.LateStore", "Other": "Module.OtherStore"]
        let classes = NamedTypes<NSPersistentStore.Type>(names) { name in
            asked.withLock { $0.append(name) }
            return loaded.withLock { $0 } && name == "Module.LateStore" ? LateStore.self : nil
        }
        #expect(classes["Late"] == nil && classes["Unnamed"] == nil && classes.known.isEmpty)
        loaded.withLock { $0 = true }
        for _ in 0..<3 { #expect(classes["Late"] == LateStore.self) }
        #expect(Array(classes.known.keys) == ["Late"] && classes.keys.sorted() == ["Late", "Other"])
        // Other names are not looked up for it.
        #expect(asked.withLock { $0 } == ["Module.LateStore", "Module.LateStore"])
    }
}
