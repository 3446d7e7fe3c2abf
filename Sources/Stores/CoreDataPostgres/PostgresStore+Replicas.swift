import PostgresKit

/// What replicas must have before they answer.
extension PostgresStore {
    /// What is asked behind a commit so that replicas can be told from it; nothing where none answer.
    var positionQuestions: [PostgresStatement] { replicaPool == nil ? [] : [LogPosition.question] }

    /// Has all who read from replicas later see what the server has by now, of which a reader was informed.
    func requireOfReplicas() {
        guard let replicaPool else { return }
        let time = ContinuousClock.now
        let answer = try? session.connection.pipeline([LogPosition.question])
        replicaPool.require(LogPosition(answer?.first), askedAt: time)
    }
}
