import StoreContract
import Testing

@testable import CoreDataGraph

@Suite struct WorkingValuesTests {
    let builder = ModelBuilder()

    private func values() -> WorkingValues {
        builder.entity("Thing", ["a": .stringAttributeType, "b": .doubleAttributeType, "c": .integer64AttributeType])
        let layout = ModelLayout.of(builder.model).entities[0]
        return WorkingValues(layout: layout)
    }

    @Test func keepsEachKindOfValueAndForgetsIt() {
        let values = values()
        #expect(values.isEmpty && !values.hasChanges)
        values.setReference("text", place: WorkingValues.State.changed, slot: 0)
        values.setReal(1.5, slot: 1)
        values.setInteger(.min, slot: 2)
        guard case .reference(let text as String) = values.value(0), case .real(1.5) = values.value(1),
            case .integer(.min) = values.value(2)
        else { return #expect(Bool(false)) }
        #expect(text == "text")
        values.discard(0)
        #expect(!values.isHeld(0) && values.isChanged(1))
        values.markSaved(storedCount: 3)
        #expect(values.isEmpty)
    }

    @Test func slotChangesBetweenKindsOfValue() {
        let values = values()
        values.setReference("one", place: WorkingValues.State.changed, slot: 0)
        values.setInteger(3, slot: 0)
        guard case .integer(3) = values.value(0) else { return #expect(Bool(false)) }
        values.setNull(slot: 0)
        guard case .null = values.value(0) else { return #expect(Bool(false)) }
        values.setReference("two", place: WorkingValues.State.cached, slot: 0)
        guard case .reference(let text as String) = values.value(0) else { return #expect(Bool(false)) }
        #expect(text == "two" && !values.isChanged(0) && values.isHeld(0))
        values.forgetCached(storedCount: 3)
        #expect(values.isEmpty)
    }
}
