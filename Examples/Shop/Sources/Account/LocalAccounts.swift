import Registry
import ShopAPI

@ExportService(AccountService.self, scope: .shared)
actor LocalAccounts: AccountService {
  private(set) var current: User?

  func logIn(_ name: String) -> User {
    let user = User(name: name)
    current = user
    return user
  }
}
