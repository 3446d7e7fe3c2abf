import CoreData
import StoreContract

/// Finds a shorter sequence that fails too: the shortest failing beginning, then without steps that do not matter.
package struct ShapesShrinking {
    let model: NSManagedObjectModel
    let kind: StoreKind
    let checking: ShapesRun.Checking

    package init(_ model: NSManagedObjectModel, _ kind: StoreKind, _ checking: ShapesRun.Checking) {
        (self.model, self.kind, self.checking) = (model, kind, checking)
    }

    package func shrink(_ steps: [ShapesStep]) -> [ShapesStep] {
        var steps = steps
        var stride = max(1, steps.count / 2)
        while true {
            let before = steps.count
            steps = without(stride, steps)
            steps = shortenedElsewhere(steps)
            guard stride > 1 || steps.count < before else { return steps }
            stride = max(1, stride / 2)
        }
    }

    /// Leaves out every run of steps of the given length without which the rest still fails; from the end.
    private func without(_ stride: Int, _ steps: [ShapesStep]) -> [ShapesStep] {
        var steps = steps
        var end = steps.count
        while end > 0 {
            var shorter = steps
            shorter.removeSubrange(max(0, end - stride)..<end)
            if fails(shorter) { steps = shorter }
            end -= stride
            end = min(end, steps.count)
        }
        return steps
    }

    /// Leaves out what does not matter of the steps of other contexts.
    private func shortenedElsewhere(_ steps: [ShapesStep]) -> [ShapesStep] {
        var steps = steps
        for index in steps.indices {
            guard case .elsewhere(var inner) = steps[index] else { continue }
            for place in inner.indices.reversed() {
                var shorter = steps
                let removed = inner.remove(at: place)
                shorter[index] = .elsewhere(inner)
                if fails(shorter) { steps = shorter } else { inner.insert(removed, at: place) }
            }
        }
        return steps
    }

    private func fails(_ steps: [ShapesStep]) -> Bool {
        do {
            let run = ShapesRun(model, try Stack(model, kind: kind), checking)
            return try !run.differences(steps).isEmpty
        } catch {
            return true
        }
    }
}
