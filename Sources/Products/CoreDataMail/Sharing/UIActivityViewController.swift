import CoreDataGraph
import LockKit

/// A sheet of actions for items: the model of Apple's class of this name, without a view.
///
/// A page or a terminal shows ``activities`` and calls `perform(_:)` with the one that is chosen, or ``dismiss()``. The handler
/// is called exactly once, on the environment's queue, also when the sheet is released without either.
///
/// Used on one thread: that of the context of the objects that are shared.
public final class UIActivityViewController {
    /// The action that was chosen, whether it was completed, what it made, and why it failed.
    public typealias CompletionWithItemsHandler =
        @Sendable (UIActivity.ActivityType?, Bool, [Any]?, (any Error)?) -> Void

    /// Actions that are not offered.
    public var excludedActivityTypes: [UIActivity.ActivityType]?
    /// Called once, at the end.
    public var completionWithItemsHandler: CompletionWithItemsHandler? {
        didSet {
            let new: CompletionWithItemsHandler = completionWithItemsHandler ?? { _, _, _, _ in }
            handler.withLock { if $0 != nil { $0 = new } }
        }
    }

    private let items: [Any]
    private let own: [UIActivity]
    private let environment: ShareEnvironment
    private let handler: Locked<CompletionWithItemsHandler?>
    private var isPerforming = false

    /// A sheet.
    ///
    /// - Parameters:
    ///   - activityItems: Texts, URLs, data, files, managed objects, or sources of these. Others are for the program's own actions.
    ///   - applicationActivities: The program's own actions.
    ///   - environment: What the sheet's actions do it with.
    public init(
        activityItems: [Any], applicationActivities: [UIActivity]? = nil,
        environment: ShareEnvironment = ShareEnvironment()
    ) {
        (items, own, self.environment) = (activityItems, applicationActivities ?? [], environment)
        handler = Locked { _, _, _, _ in }
    }

    deinit { if !isPerforming { Self.end(handler, environment.queue, nil, false, nil, nil) } }

    /// The actions that can do something with the items and are not excluded: first those that send, then others, the program's own
    /// last.
    public var activities: [UIActivity] {
        let placeholders = items.map { item in
            (item as? any UIActivityItemSource)?.activityViewControllerPlaceholderItem(self) ?? item
        }
        let excluded = Set(excludedActivityTypes ?? [])
        return (StandardActivity.all(environment) + own).filter { activity in
            activity.activityType.map { !excluded.contains($0) } ?? true
                && activity.canPerform(withActivityItems: placeholders)
        }
    }

    /// Does an action; nil and nothing done if the sheet does not offer it, or an action was chosen already.
    ///
    /// - Returns: The action. If it has an `activityViewController`, such as a dialog for mail, the program shows that, and its end
    ///   ends the action.
    @discardableResult
    public func perform(_ type: UIActivity.ActivityType) -> UIActivity? {
        activities.first { $0.activityType == type }.flatMap { perform($0) ? $0 : nil }
    }

    /// Does an action of ``activities``, or one of the program's; false if an action was chosen already, or the sheet was closed.
    @discardableResult
    public func perform(_ activity: UIActivity) -> Bool {
        guard !isPerforming, handler.withLock({ $0 != nil }) else { return false }
        isPerforming = true
        let type = activity.activityType
        activity.ending.set { [handler, environment] completed, items, error in
            Self.end(handler, environment.queue, type, completed, items, error)
        }
        let (chosen, subject) = items(for: type)
        if let standard = activity as? StandardActivity { standard.subject = subject }
        activity.prepare(withActivityItems: chosen)
        if activity.activityViewController == nil { activity.perform() }
        return true
    }

    /// Closes the sheet without an action. Without effect once one was chosen.
    public func dismiss() {
        guard !isPerforming else { return }
        Self.end(handler, environment.queue, nil, false, nil, nil)
    }

    private func items(for type: UIActivity.ActivityType?) -> (items: [Any], subject: String?) {
        var subject: String?
        let chosen = items.compactMap { item -> Any? in
            guard let source = item as? any UIActivityItemSource else { return item }
            let text = source.activityViewController(self, subjectForActivityType: type)
            if subject == nil, !text.isEmpty { subject = text }
            return source.activityViewController(self, itemForActivityType: type)
        }
        return (chosen, subject)
    }

    private static func end(
        _ handler: Locked<CompletionWithItemsHandler?>, _ queue: DispatchQueue, _ type: UIActivity.ActivityType?,
        _ completed: Bool,
        _ items: [Any]?, _ error: (any Error)?
    ) {
        let call = handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
        guard let call else { return }
        nonisolated(unsafe) let items = items
        queue.async { call(type, completed, items, error) }
    }
}
