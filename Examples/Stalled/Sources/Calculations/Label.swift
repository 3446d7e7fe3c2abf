import Foundation

/// A label on a page. It is drawn when the main queue gets to it: not while other work keeps the main thread busy.
@MainActor final class Label {
    private let draw: @MainActor (String) -> Void
    private var isDrawingDue = false

    init(draw: @escaping @MainActor (String) -> Void) { self.draw = draw }

    /// What the label says; several changes before it is drawn are drawn as one.
    var text = "" {
        didSet {
            guard !isDrawingDue else { return }
            isDrawingDue = true
            DispatchQueue.main.async { [self] in
                isDrawingDue = false
                draw(text)
            }
        }
    }
}
