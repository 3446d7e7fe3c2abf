import CoreDataFoundation
import Testing

@MainActor
struct UndoScaleTests {
    @Test("a million steps are registered, undone and redone (CTX-10)", .timeLimit(.minutes(20)))
    func millionSteps() {
        let manager = manualManager()
        let cell = Cell(0, manager: manager)
        manager.group { for value in 1...1_000_000 { cell.set(value) } }
        manager.undo()
        #expect(cell.value == 0)
        manager.redo()
        #expect(cell.value == 1_000_000)
    }

    @Test("each of 100,000 targets is removed at the cost of its own steps (CTX-10)", .timeLimit(.minutes(20)))
    func removalIsNotQuadratic() {
        let manager = manualManager()
        let cells = (0..<100_000).map { Cell($0, manager: manager) }
        for cell in cells { manager.group { cell.set(0) } }
        #expect(manager.undoCount == 100_000)
        for cell in cells.dropLast() { manager.removeAllActions(withTarget: cell) }
        #expect(manager.undoCount == 1)
        manager.undo()
        #expect(cells[99_999].value == 99_999)
    }

    @Test("groups nested 200,000 deep are undone and released without recursion (CTX-10)", .timeLimit(.minutes(20)))
    func deepNesting() {
        weak var released: UndoManager?
        do {
            let manager = manualManager()
            released = manager
            let cell = Cell(0, manager: manager)
            for value in 1...200_000 {
                manager.beginUndoGrouping()
                cell.set(value)
            }
            #expect(manager.groupingLevel == 200_000)
            for _ in 1...200_000 { manager.endUndoGrouping() }
            manager.undo()
            #expect(cell.value == 0)
            manager.redo()
        }
        #expect(released == nil)
    }

    @Test("a limit of many levels drops the oldest group without moving the others (CTX-10)", .timeLimit(.minutes(20)))
    func manyLevels() {
        let manager = manualManager()
        manager.levelsOfUndo = 20_000
        let cell = Cell(0, manager: manager)
        for value in 1...60_000 { manager.group { cell.set(value) } }
        #expect(manager.undoCount == 20_000)
        while manager.canUndo { manager.undo() }
        #expect(cell.value == 40_000)
    }
}
