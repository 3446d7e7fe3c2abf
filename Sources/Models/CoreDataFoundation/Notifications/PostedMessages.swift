import Dispatch
import Foundation
import Synchronization

/// A message to observers on the main actor that stands for a notification with a name.
///
/// On Apple's platforms every message has these members. Open-source Foundation delivers messages and notifications
/// separately; for messages that adopt this protocol, `addObserver(of:for:using:)` and `post(_:subject:)` connect both:
/// a posted message or notification reaches the observers of the message and of the notification, each once.
public protocol PostedMainActorMessage: NotificationCenter.MainActorMessage where Subject: AnyObject {
    /// The name of the notification.
    static var name: NSNotification.Name { get }
    /// Makes the message from a notification; nil for a notification of another kind.
    @MainActor static func makeMessage(_ notification: Notification) -> Self?
    /// Makes the notification from a message; its name and object are ignored.
    @MainActor static func makeNotification(_ message: Self) -> Notification
}

/// A message to observers on any queue that stands for a notification with a name.
///
/// See `PostedMainActorMessage` for what adopting it does.
public protocol PostedAsyncMessage: NotificationCenter.AsyncMessage where Subject: AnyObject {
    /// The name of the notification.
    static var name: NSNotification.Name { get }
    /// Makes the message from a notification; nil for a notification of another kind.
    static func makeMessage(_ notification: Notification) -> Self?
    /// Makes the notification from a message; its name and object are ignored.
    static func makeNotification(_ message: Self) -> Notification
}

extension NotificationCenter {
    /// Observes messages of one kind on the main actor, posted as such or as notifications.
    ///
    /// The observer is called before the posting call returns. A notification that is posted on another queue than the
    /// main queue is ignored. Observation ends when the token is released.
    public func addObserver<Message: PostedMainActorMessage>(
        of subject: Message.Subject? = nil, for messageType: Message.Type,
        using observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken {
        let relay = observeNotifications(Message.name, subject: subject) { notification in
            guard MainQueue.isCurrent else { return }
            nonisolated(unsafe) let notification = notification
            MainActor.assumeIsolated { Message.makeMessage(notification).map(observer) }
        }
        return register(subject, type: messageType) { message in
            withExtendedLifetime(relay) { observer(message) }
        }
    }

    /// Observes messages of one kind on the main actor, of one subject.
    public func addObserver<Identifier: MessageIdentifier, Message: PostedMainActorMessage>(
        of subject: Message.Subject, for identifier: Identifier, using observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken where Identifier.MessageType == Message {
        addObserver(of: subject, for: Message.self, using: observer)
    }

    /// Observes messages of one kind on the main actor, of every subject.
    public func addObserver<Identifier: MessageIdentifier, Message: PostedMainActorMessage>(
        of subject: Message.Subject.Type, for identifier: Identifier,
        using observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken where Identifier.MessageType == Message {
        addObserver(of: nil, for: Message.self, using: observer)
    }

    /// Observes messages of one kind on no particular queue, posted as such or as notifications.
    ///
    /// The posting call does not wait for the observer, which receives messages one at a time in the order of posting.
    /// Observation ends when the token is released.
    public func addObserver<Message: PostedAsyncMessage>(
        of subject: Message.Subject? = nil, for messageType: Message.Type,
        using observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken {
        let (messages, sink) = AsyncStream.makeStream(of: Message.self)
        Task { for await message in messages { await observer(message) } }
        let relay = observeNotifications(Message.name, subject: subject) { notification in
            if let message = Message.makeMessage(notification) { sink.yield(message) }
        } atEnd: {
            sink.finish()
        }
        return register(subject, type: messageType) { message in
            _ = withExtendedLifetime(relay) { sink.yield(message) }
        }
    }

    /// Observes messages of one kind on no particular queue, of one subject.
    public func addObserver<Identifier: MessageIdentifier, Message: PostedAsyncMessage>(
        of subject: Message.Subject, for identifier: Identifier,
        using observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken where Identifier.MessageType == Message {
        addObserver(of: subject, for: Message.self, using: observer)
    }

    /// Observes messages of one kind on no particular queue, of every subject.
    public func addObserver<Identifier: MessageIdentifier, Message: PostedAsyncMessage>(
        of subject: Message.Subject.Type, for identifier: Identifier,
        using observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken where Identifier.MessageType == Message {
        addObserver(of: nil, for: Message.self, using: observer)
    }

    /// Posts a message to its observers and to those of its notification.
    @MainActor
    public func post<Message: PostedMainActorMessage>(_ message: Message, subject: Message.Subject) {
        post(name: Message.name, object: subject, userInfo: Message.makeNotification(message).userInfo)
    }

    /// Posts a message to its observers and to those of its notification.
    public func post<Message: PostedAsyncMessage>(_ message: Message, subject: Message.Subject) {
        post(name: Message.name, object: subject, userInfo: Message.makeNotification(message).userInfo)
    }
}

// MARK: Registration

/// The observation of notifications that belongs to the observation of a message.
///
/// The closure that Foundation retains for the message owns the relay, so that the relay ends when the message's
/// observer is removed. Foundation releases that closure while it has the center's lock, so the observer of
/// notifications is removed asynchronously; from the release on, the relay ignores notifications.
private final class NotificationRelay: @unchecked Sendable {
    private final class Life: Sendable {
        let hasEnded = Atomic(false)
    }

    private let life = Life()
    private let center: NotificationCenter
    private let atEnd: @Sendable () -> Void
    private let observer: any NSObjectProtocol

    init(
        center: NotificationCenter, name: NSNotification.Name, subject: AnyObject?,
        _ block: @escaping @Sendable (Notification) -> Void, atEnd: @escaping @Sendable () -> Void
    ) {
        self.center = center
        self.atEnd = atEnd
        observer = center.addObserver(forName: name, object: subject, queue: nil) { [life] notification in
            if !life.hasEnded.load(ordering: .acquiring) { block(notification) }
        }
    }

    deinit {
        life.hasEnded.store(true, ordering: .releasing)
        atEnd()
        nonisolated(unsafe) let observer = observer
        DispatchQueue.global().async { [center] in center.removeObserver(observer) }
    }
}

extension NotificationCenter {
    private func observeNotifications(
        _ name: NSNotification.Name, subject: AnyObject?, block: @escaping @Sendable (Notification) -> Void,
        atEnd: @escaping @Sendable () -> Void = {}
    ) -> NotificationRelay {
        NotificationRelay(center: self, name: name, subject: subject, block, atEnd: atEnd)
    }

    /// Registers an observer with Foundation; the observation ends when the program releases the token or removes the
    /// observer.
    private func register<Message: NotificationCenter.MainActorMessage>(
        _ subject: Message.Subject?, type: Message.Type, observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken where Message.Subject: AnyObject { addObserver(of: subject, for: type, using: observer) }

    private func register<Message: NotificationCenter.AsyncMessage>(
        _ subject: Message.Subject?, type: Message.Type, observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken where Message.Subject: AnyObject { addObserver(of: subject, for: type, using: observer) }
}
