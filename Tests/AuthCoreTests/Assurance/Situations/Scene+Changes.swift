@testable import AuthCore

extension Scene {
    /// The scene once a change is written, as plainly as can be: no index, no precondition.
    func after(_ changes: ChangeSet) -> Scene {
        var scene = self
        for write in changes.accounts {
            scene.accounts.removeAll { $0.id == write.id }
            switch write {
            case .create(let account), .update(let account, _): scene.accounts.append(account)
            case .remove: break
            }
        }
        for change in changes.sessions {
            switch change {
            case .put(let session): scene.sessions.append(session)
            case .update(let session, _):
                if let index = scene.sessions.firstIndex(where: { $0.id == session.id }) {
                    scene.sessions[index] = session
                }
            case .end(let id): scene.sessions.removeAll { $0.id == id }
            case .endAll(let account, let kept):
                scene.sessions.removeAll { $0.account == account && $0.id != kept }
            case .endUnused: break
            }
        }
        for change in changes.records {
            switch change {
            case .put(let record): scene.records.append(record)
            case .replace(let record):
                scene.records.removeAll { $0.key == record.key }
                scene.records.append(record)
            case .consume(let key), .revoke(let key): scene.records.removeAll { $0.key == key }
            case .revokeAll(let account, let purposes):
                scene.records.removeAll { $0.account == account && purposes.contains($0.purpose) }
            }
        }
        return scene
    }
}
